/** Words of a text with their places in it, so that every finding can quote the text exactly. */
export interface Words {
  /** Lower-case, apostrophes straightened. */
  words: string[];
  /** Offset of each word in the text, in UTF-16 units. */
  starts: number[];
  /** Offset just behind each word. */
  ends: number[];
}

/**
 * Cuts a text into words in one pass over its characters. Letters and digits of any script belong to words; an
 * apostrophe between two of them does too ("don't"). No regular expression, so no text can make it slow.
 */
export function cutWords(text: string): Words {
  const words: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const lowered = text.toLowerCase();
  // A few letters change their length when lowered; then each word is lowered by itself.
  const sameLength = lowered.length === text.length;
  const length = text.length;
  let at = 0;
  while (at < length) {
    if (!isWordCode(text.charCodeAt(at))) {
      at += 1;
      continue;
    }
    const start = at;
    let curled = false;
    at += 1;
    while (at < length) {
      const code = text.charCodeAt(at);
      if (isWordCode(code)) {
        at += 1;
      } else if (isApostrophe(code) && at + 1 < length && isWordCode(text.charCodeAt(at + 1))) {
        curled ||= code !== 0x27;
        at += 2;
      } else {
        break;
      }
    }
    const word = sameLength ? lowered.slice(start, at) : text.slice(start, at).toLowerCase();
    words.push(curled ? word.replaceAll('\u2019', "'") : word);
    starts.push(start);
    ends.push(at);
  }
  return { words, starts, ends };
}

function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x2019;
}

function isWordCode(code: number): boolean {
  if (code < 0x80) {
    return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a);
  }
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code === 0xd7 || code === 0xf7) return false;
  // General punctuation, CJK punctuation and the full-width signs before the full-width digits.
  return !(
    (code >= 0x2000 && code <= 0x206f) ||
    (code >= 0x3000 && code <= 0x303f) ||
    (code >= 0xff00 && code <= 0xff0f)
  );
}

export function hasDigit(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) return true;
  }
  return false;
}

/** Cuts a text to at most `limit` UTF-16 units without splitting a surrogate pair; the result is a substring of the text. */
export function cutText(text: string, limit: number, from = 0): string {
  let start = from;
  let end = Math.min(text.length, from + limit);
  if (isLowSurrogate(text.charCodeAt(start)) && start > 0) start += 1;
  if (end < text.length && isLowSurrogate(text.charCodeAt(end))) end -= 1;
  return text.slice(start, Math.max(start, end));
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Share of words that two word lists have in common: |A and B| / |A or B|, 0 where either is empty. */
export function jaccard(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const first = new Set(a);
  const second = new Set(b);
  let common = 0;
  for (const word of second) if (first.has(word)) common += 1;
  return common / (first.size + second.size - common);
}

/** True where the likeness of two lists without repeated words reaches `atLeast`; it stops as soon as it can not. */
export function isAlike(a: readonly string[], b: readonly string[], atLeast: number): boolean {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  if (few.length === 0 || few.length < atLeast * many.length) return false;
  if (many.length > SEARCHED_AT_MOST) return jaccard(a, b) >= atLeast;
  let missing = 0;
  const missingAtMost = few.length - (atLeast * (few.length + many.length)) / (1 + atLeast);
  for (const word of few) {
    if (many.includes(word)) continue;
    missing += 1;
    if (missing > missingAtMost) return false;
  }
  const common = few.length - missing;
  return common / (few.length + many.length - common) >= atLeast;
}

/** Up to this many words a list is searched faster than a set is made. */
const SEARCHED_AT_MOST = 40;
