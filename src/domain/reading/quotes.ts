/** A text whose blanks, quotation marks, dashes and case make no difference, with the place of each unit in the original. */
interface Plain {
  text: string;
  /** Offset in the original of each UTF-16 unit of `text`, and of its end. */
  at: number[];
}

export interface FoundQuote {
  /** Offset in the text, in UTF-16 units. */
  at: number;
  /** An exact part of the text. */
  quote: string;
}

const SAME = new Map<string, string>([
  ...[...'`‘’‚‛′'].map((one): [string, string] => [one, "'"]),
  ...[...'“”„‟«»'].map((one): [string, string] => [one, '"']),
  ...[...'‐‑‒–—―−'].map((one): [string, string] => [one, '-']),
]);
const BLANK = /[\s\p{Cf}\p{Cc}]/u;
const WORD = /[\p{L}\p{N}\p{M}]/u;
/** Scripts that put no blank between words. */
export const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** What a reader puts around a quote of its own accord. */
const AROUND = /^(?:["“”„«»…]|\.{3})|(?:["“”„«»…]|\.{3})$/gu;
const TRIES = 40;

function plain(text: string): Plain {
  let made = '';
  const at: number[] = [];
  let offset = 0;
  for (const char of text) {
    for (const part of char.normalize('NFKD').toLowerCase()) {
      if (BLANK.test(part)) continue;
      const same = SAME.get(part) ?? part;
      made += same;
      for (let unit = 0; unit < same.length; unit += 1) at.push(offset);
    }
    offset += char.length;
  }
  at.push(offset);
  return { text: made, at };
}

/**
 * Looks for quotes in a text, whatever their blanks, quotation marks and case. What is found is whole words and whole
 * figures: "art" stands nowhere in "start", and "142" not in "142.50".
 */
export function quotesOf(text: string): (quote: string) => FoundQuote | null {
  let whole: Plain | null = null;
  const look = (quote: string): FoundQuote | null => {
    for (const at of placesOf(quote, text)) if (isWhole(text, at, at + quote.length)) return { at, quote };
    whole ??= plain(text);
    const part = plain(quote).text;
    for (const place of placesOf(part, whole.text)) {
      const at = whole.at[place] ?? 0;
      const last = whole.at[place + part.length - 1] ?? at;
      const end = last + String.fromCodePoint(text.codePointAt(last) ?? 0).length;
      if (isWhole(text, at, end)) return { at, quote: text.slice(at, end) };
    }
    return null;
  };
  return (given) => {
    if (!/[\p{L}\p{N}]/u.test(given)) return null;
    return look(given.trim()) ?? look(bare(given));
  };
}

function bare(quote: string): string {
  let text = quote.trim();
  for (let marks = 0; marks < 4; marks += 1) text = text.replace(AROUND, '').trim();
  return text;
}

/** Where a part begins in a text; of very many places the first ones. */
function placesOf(part: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at >= 0 && places.length < TRIES; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

/** @returns the exact part of `text` that a quote stands for; null where it is not there, or holds no letter and no digit. */
export function exactQuote(text: string, quote: string): string | null {
  return quotesOf(text)(quote)?.quote ?? null;
}

/** Two texts of the same letters and digits are equal in this form, whatever stands between. */
export function lettersOf(text: string): string {
  return plain(text).text.replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '');
}

function isWhole(text: string, from: number, to: number): boolean {
  return !isWithin(text, from) && !isWithin(text, to);
}

/** True where a word or a figure goes on over the place. */
function isWithin(text: string, at: number): boolean {
  const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at, at + 2)];
  if (/\d$/.test(before) && /^[.,:]\d/.test(after)) return true;
  if (/\d[.,:]$/.test(before) && /^\d/.test(after)) return true;
  const [last, first] = [[...before].at(-1) ?? '', [...after][0] ?? ''];
  return WORD.test(last) && WORD.test(first) && !UNSPACED.test(last) && !UNSPACED.test(first);
}
