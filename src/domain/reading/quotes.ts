/** A text whose blanks, quotation marks, dashes and case make no difference, with the place of each character in the original. */
interface Plain {
  text: string;
  /** Offset in the original of each UTF-16 unit of `text`. */
  at: number[];
}

const SAME: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201b': "'",
  '\u2032': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u00ab': '"',
  '\u00bb': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2026': '.',
};
const BLANK = /[\s\p{Cf}\p{Cc}]/u;

function plain(text: string): Plain {
  let made = '';
  const at: number[] = [];
  let offset = 0;
  for (const char of text) {
    if (!BLANK.test(char)) {
      const same = SAME[char] ?? char.toLowerCase();
      made += same;
      for (let unit = 0; unit < same.length; unit += 1) at.push(offset);
    }
    offset += char.length;
  }
  at.push(offset);
  return { text: made, at };
}

/**
 * Finds a quote whatever its blanks, quotation marks and case.
 * @returns the exact part of `text` that it stands for; null where it is not there, or holds no letter and no digit.
 */
export function exactQuote(text: string, quote: string): string | null {
  if (!/[\p{L}\p{N}]/u.test(quote)) return null;
  if (text.includes(quote)) return quote.trim();
  const whole = plain(text);
  const part = plain(quote.replace(/^\s*["“”…]+|["“”…]+\s*$/gu, ''));
  const found = part.text === '' ? -1 : whole.text.indexOf(part.text);
  if (found < 0) return null;
  const start = whole.at[found] ?? 0;
  const last = whole.at[found + part.text.length - 1] ?? start;
  const end = last + (String.fromCodePoint(text.codePointAt(last) ?? 0x20).length || 1);
  return text.slice(start, end);
}

/** Whether two quotes hold the same words and figures. */
export function areSame(one: string, other: string): boolean {
  return plain(one).text === plain(other).text;
}
