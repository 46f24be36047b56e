/**
 * A pattern of a workspace's own, such as `MRN-\d{6}` or `[A-Z]{2}\d{4,8}`: a row of characters, each with how often it
 * may stand. It has no groups and no way back, so that a search takes a bounded number of steps for each character.
 */
export interface OwnPattern {
  /** One after the other; any of them is enough. */
  choices: readonly (readonly Piece[])[];
}

interface Piece {
  fits(char: string): boolean;
  least: number;
  most: number;
}

export const PATTERN_CHARS_AT_MOST = 200;
const REPEATS_AT_MOST = 64;
const LENGTH_AT_MOST = 256;
const CHOICES_AT_MOST = 10;
const NO_WAY: Readonly<Record<string, string>> = {
  '(': 'Groups are not supported: they can make a search take too long. Write the alternatives out, with |',
  ')': 'Groups are not supported.',
  '^': 'A pattern is looked for anywhere in a text: leave ^ out',
  $: 'A pattern is looked for anywhere in a text: leave $ out',
};

/** @returns why it can't be used, as a sentence, where it can't. */
export function parseOwnPattern(source: string): OwnPattern | string {
  if (source.length > PATTERN_CHARS_AT_MOST) return `A pattern has at most ${PATTERN_CHARS_AT_MOST} characters.`;
  const choices: Piece[][] = [[]];
  let at = 0;
  while (at < source.length) {
    if (source[at] === '|') {
      choices.push([]);
      at += 1;
      continue;
    }
    const one = readOne(source, at);
    if (typeof one === 'string') return one;
    const times = readTimes(source, one.next);
    if (typeof times === 'string') return times;
    choices.at(-1)?.push({ fits: one.fits, least: times.least, most: times.most });
    at = times.next;
  }
  if (choices.length > CHOICES_AT_MOST) return `A pattern has at most ${CHOICES_AT_MOST} alternatives.`;
  for (const pieces of choices) {
    if (pieces.every(({ least }) => least === 0)) return 'A pattern must not fit an empty text.';
    const length = pieces.reduce((sum, { most }) => sum + most, 0);
    if (length > LENGTH_AT_MOST)
      return `A pattern fits at most ${LENGTH_AT_MOST} characters: give parts of it an upper bound.`;
  }
  return { choices };
}

/**
 * Where it stands in a text, each as long as it can be, none inside another.
 * @param steps how many steps are left, of which it takes some; where none are left, the search was not finished.
 */
export function findOwnPattern(
  { choices }: OwnPattern,
  text: string,
  steps: { left: number },
): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  let at = 0;
  while (at < text.length && steps.left > 0) {
    const end = Math.max(...choices.map((pieces) => longestFrom(pieces, text, at, steps)));
    if (end > at) found.push({ from: at, to: end });
    at = Math.max(end, at + 1);
  }
  return found;
}

/** All ways at once, character by character. @returns where the longest ends, -1 where none does. */
function longestFrom(pieces: readonly Piece[], text: string, from: number, steps: { left: number }): number {
  let ways = new Set([0]);
  const last = pieces.length * WIDE;
  let end = -1;
  for (let at = from; ways.size > 0 && steps.left > 0; at += 1) {
    ways = skipping(pieces, ways);
    steps.left -= ways.size;
    if (ways.has(last)) end = at;
    const char = text.charAt(at);
    if (char === '') break;
    const next = new Set<number>();
    for (const way of ways) {
      const [place, count] = [Math.floor(way / WIDE), way % WIDE];
      const piece = pieces[place];
      if (piece === undefined || count >= piece.most || !piece.fits(char)) continue;
      next.add(way + 1);
    }
    ways = next;
  }
  return end;
}

/** A way is a place and how often the piece there has fitted. */
const WIDE = REPEATS_AT_MOST + 1;

function skipping(pieces: readonly Piece[], ways: ReadonlySet<number>): Set<number> {
  const all = new Set(ways);
  for (const way of all) {
    const piece = pieces[Math.floor(way / WIDE)];
    if (piece !== undefined && way % WIDE >= piece.least) all.add((Math.floor(way / WIDE) + 1) * WIDE);
  }
  return all;
}

interface One {
  fits(char: string): boolean;
  next: number;
}

const CLASSES: Readonly<Record<string, (char: string) => boolean>> = {
  d: (char) => /\d/.test(char),
  D: (char) => /\D/.test(char),
  w: (char) => /\w/.test(char),
  W: (char) => /\W/.test(char),
  s: (char) => /\s/.test(char),
  S: (char) => /\S/.test(char),
};

function readOne(source: string, at: number): One | string {
  const char = source.charAt(at);
  if (char === '[') return readClass(source, at);
  if (char === '\\') {
    const escaped = readEscape(source, at);
    return typeof escaped === 'string' ? escaped : { fits: escaped.fits, next: at + 2 };
  }
  if (char === '.') return { fits: (one) => one !== '\n', next: at + 1 };
  const refused = NO_WAY[char];
  if (refused !== undefined) return refused;
  if ('*+?{'.includes(char)) return `There is nothing before ${char} that could repeat.`;
  const lower = char.toLowerCase();
  return { fits: (one) => one.toLowerCase() === lower, next: at + 1 };
}

function readEscape(source: string, at: number): { fits(char: string): boolean; char: string | null } | string {
  const char = source.charAt(at + 1);
  const known = CLASSES[char];
  if (known) return { fits: known, char: null };
  if (char === '' || /[\p{L}\d]/u.test(char))
    return `\\${char} is not supported: use \\d, \\w, \\s, or an escaped sign.`;
  return { fits: (one) => one === char, char };
}

function readClass(source: string, from: number): One | string {
  const isNot = source.charAt(from + 1) === '^';
  const parts: ((char: string) => boolean)[] = [];
  let at = from + (isNot ? 2 : 1);
  while (source.charAt(at) !== ']') {
    if (at >= source.length) return 'A [ has no ] behind it.';
    const isEscaped = source.charAt(at) === '\\';
    const escaped = isEscaped ? readEscape(source, at) : { fits: null, char: source.charAt(at) };
    if (typeof escaped === 'string') return escaped;
    at += isEscaped ? 2 : 1;
    const { char } = escaped;
    const [sign, end] = [source.charAt(at), source.charAt(at + 1)];
    if (char !== null && sign === '-' && end !== ']' && end !== '') {
      if (end < char || end === '\\') return `${char}-${end} is no range.`;
      parts.push((one) => [one, one.toLowerCase(), one.toUpperCase()].some((form) => form >= char && form <= end));
      at += 2;
    } else if (escaped.fits === null) parts.push((one) => one.toLowerCase() === char?.toLowerCase());
    else parts.push(escaped.fits);
  }
  if (parts.length === 0) return 'A [ ] holds no character.';
  return { fits: (one) => parts.some((part) => part(one)) !== isNot, next: at + 1 };
}

function readTimes(source: string, at: number): { least: number; most: number; next: number } | string {
  const char = source.charAt(at);
  const next = at + 1;
  if (char === '?') return { least: 0, most: 1, next };
  if (char === '+') return { least: 1, most: REPEATS_AT_MOST, next };
  if (char === '*') return { least: 0, most: REPEATS_AT_MOST, next };
  if (char !== '{') return { least: 1, most: 1, next: at };
  const counts = /^\{(\d{1,3})(,(\d{0,3}))?\}/.exec(source.slice(at, at + 10));
  if (counts === null) return 'A { needs counts such as {6} or {4,8}.';
  const least = Number(counts[1]);
  const most = counts[2] === undefined ? least : counts[3] === '' ? REPEATS_AT_MOST : Number(counts[3]);
  if (most > REPEATS_AT_MOST || least > most)
    return `A part repeats at most ${REPEATS_AT_MOST} times, and no less than at least.`;
  return { least, most, next: at + counts[0].length };
}
