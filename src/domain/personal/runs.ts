import { cutTokens, isGlued, type Token } from '../values/tokens.ts';
import { foldWord, NUMBER_PHRASES, PHRASE_WORDS, REPEATS, sayBelow100, speechOf } from './number-words.ts';

/** Figures and letters that belong together however they are written or said: "4111 1111", "four one one", "SL-94", "V O S T". */
export interface Run {
  from: number;
  to: number;
  /** In capitals, without what stands between them. */
  chars: string;
  atoms: readonly Atom[];
}

type AtomKind = 'figures' | 'letters' | 'letter' | 'called' | 'said' | 'repeat';

interface Atom {
  from: number;
  to: number;
  chars: string;
  kind: AtomKind;
  /** Token behind it. */
  next: number;
}

/** Figures of one language that are ordinary words of another: "once", "seize", "null". */
const ALSO_WORDS = new Set(['once', 'seize', 'null', 'elf', 'dix', 'tres']);
const CALLED = new Map<string, string>(
  'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu'
    .split(' ')
    .map((word): [string, string] => [word.charAt(0).toUpperCase(), word]),
);
const LETTER_CALLED = new Map([...CALLED].map(([letter, word]): [string, string] => [word, letter]));
for (const [word, letter] of Object.entries({ alfa: 'A', juliett: 'J', whisky: 'W' })) LETTER_CALLED.set(word, letter);

const JOINTS = new Set(['-', '\u2010', '\u2011', '\u2013', '(', ')', ',', '.', '#', '_']);
const FILLERS = new Set('dash hyphen uh um er erm eh euh äh ähm bindestrich guion tiret'.split(' '));
const JOINTS_AT_MOST = 2;
const LETTERS_AT_MOST = 6;
const CAPITALS_AT_MOST = 4;
const NO_CODE = new Set(['AM', 'PM', 'USD', 'EUR', 'GBP', 'OK']);

// Days, times, amounts and ids that systems make are no numbers of people.
const NO_RUNS: readonly RegExp[] = [
  /(?<!\d)\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)/g,
  /(?<![\d./-])(?:0?[1-9]|[12]\d|3[01])([./-])(?:0?[1-9]|[12]\d|3[01])\1(?:19|20)?\d\d(?!\d|[./-]\d)/g,
  /(?<!\d)20[2-3]\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)/g,
  /(?<!\d)\d{1,2}:\d\d(?::\d\d)?(?!\d)/g,
  /(?<!\p{L})[ap]\s?\.\s?m(?!\p{L})/giu,
  /[$€£¥]\s?\d[\d.,]{0,20}/g,
  /(?<!\d)\d[\d.,]{0,20}\s?(?:€|£|dollars?\b|euros?\b)/gi,
  /(?<![\da-f])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-f])/gi,
];

/** All runs of a text in order: of digits alone, of letters that spell a word, and codes of both. */
export function readRuns(text: string): Run[] {
  const tokens = cutTokens(text);
  const hidden = hiddenTokens(text, tokens);
  const mixesCase = /\p{Ll}/u.test(text);
  const runs: Run[] = [];
  let at = 0;
  while (at < tokens.length) {
    const atoms = readAtoms(text, tokens, at, { hidden, mixesCase });
    if (atoms.length > 0) runs.push(...partsOf(atoms));
    at = Math.max(atoms.at(-1)?.next ?? 0, at + 1);
  }
  return runs;
}

/** The same text with other characters of the same kinds in the places of the run's. */
export function sayRun(text: string, run: Run, chars: string): string {
  let said = '';
  let at = run.from;
  let used = 0;
  for (const atom of run.atoms) {
    const own = chars.slice(used, used + atom.chars.length);
    used += atom.chars.length;
    said += text.slice(at, atom.from) + sayAtom(text.slice(atom.from, atom.to), atom, own);
    at = atom.to;
  }
  return said;
}

/** Letters in the way in which the run spells them, where the word that they spell has another length. */
export function spellAs(text: string, { atoms }: Run, letters: string): string {
  const [first, second] = atoms;
  const between = first && second ? text.slice(first.to, second.from) : ' ';
  const isSmall = first !== undefined && text.charAt(first.from) === text.charAt(first.from).toLowerCase();
  return [...(isSmall ? letters.toLowerCase() : letters.toUpperCase())].join(between === '' ? ' ' : between);
}

const isDigits = (chars: string) => /^\d+$/.test(chars);

interface Reading {
  hidden: ReadonlySet<number>;
  mixesCase: boolean;
}

function readAtoms(text: string, tokens: readonly Token[], from: number, reading: Reading): Atom[] {
  const atoms: Atom[] = [];
  let at = from;
  for (;;) {
    const before = atoms.at(-1);
    const start = before === undefined ? at : skipJoints(tokens, at);
    const atom = readAtom(text, tokens, start, { ...reading, before });
    if (atom === null || (before !== undefined && !mayFollow(tokens, at, start, before, atom))) return atoms;
    atoms.push(atom);
    at = atom.next;
  }
}

function skipJoints(tokens: readonly Token[], at: number): number {
  let next = at;
  while (next - at < JOINTS_AT_MOST && isJoint(tokens[next])) next += 1;
  return next;
}

const isJoint = (token: Token | undefined) =>
  token !== undefined && (token.kind === 'sign' ? JOINTS.has(token.text) : FILLERS.has(token.text));

/** What is written in one is cut by points and commas where a number ends; what is read out piece by piece goes on. */
function mayFollow(tokens: readonly Token[], at: number, start: number, before: Atom, atom: Atom): boolean {
  const isPiece = (one: Atom) => one.kind !== 'figures' || one.chars.length === 1;
  for (let place = at; place < start; place += 1) {
    const sign = tokens[place]?.text;
    if (sign !== '.' && sign !== ',') continue;
    if (isPiece(before) && isPiece(atom)) continue;
    const isWithin = isGlued(tokens, place) && isGlued(tokens, place + 1);
    if (sign === ',' ? isWithin : !isWithin) return false;
    const [one, other] = [before.chars.length, atom.chars.length];
    if (sign === '.' && !(other >= 3 && one >= 2) && !(one === 2 && other === 2)) return false;
  }
  return true;
}

function readAtom(
  text: string,
  tokens: readonly Token[],
  at: number,
  { hidden, mixesCase, before }: Reading & { before: Atom | undefined },
): Atom | null {
  const token = tokens[at];
  if (token === undefined || token.kind === 'sign' || hidden.has(at)) return null;
  const { from, to } = token;
  const made = (kind: AtomKind, chars: string, next = at + 1): Atom => ({
    from,
    to: tokens[next - 1]?.to ?? to,
    chars,
    kind,
    next,
  });
  if (token.kind === 'digits') return made('figures', token.text);
  const times = REPEATS.get(token.text);
  if (times !== undefined) {
    const one = oneChar(tokens[at + 1]);
    return one === null ? null : made('repeat', one.repeat(times), at + 2);
  }
  const phrase = phraseAt(tokens, at, before);
  if (phrase !== null) return made('said', phrase.digits, phrase.next);
  const called = LETTER_CALLED.get(token.text);
  const isAmongChars = before !== undefined || isChar(tokens[at + 1]);
  if (called !== undefined) return isAmongChars ? made('called', called) : null;
  if (token.text.length === 1) return readLetter(tokens, at, before, made);
  const written = text.slice(from, to);
  const digitBefore = isGlued(tokens, at) && tokens[at - 1]?.kind === 'digits';
  const digitBehind = tokens[at + 1]?.kind === 'digits';
  if (written.length <= LETTERS_AT_MOST && (digitBefore || (digitBehind && isGlued(tokens, at + 1))))
    return /^\p{L}+$/u.test(written) && !isUnit(written) ? made('letters', written.toUpperCase()) : null;
  const isCapital =
    mixesCase && written.length <= CAPITALS_AT_MOST && /^[A-Z]+$/.test(written) && !NO_CODE.has(written);
  const next = tokens[at + 1]?.text === '-' || tokens[at + 1]?.text === '#' ? tokens[at + 2] : tokens[at + 1];
  const stands = (before !== undefined && /\d$/.test(before.chars)) || next?.kind === 'digits';
  return isCapital && stands ? made('letters', written) : null;
}

/** "24th", "10mm", "5pm": an ending that belongs to a figure. */
const isUnit = (word: string) => /^(?:st|nd|rd|th|am|pm|mm|cm|km|kg|mg|ml|gb|tb|mb|k|m|h|x|s|er|ème)$/i.test(word);

function readLetter(
  tokens: readonly Token[],
  at: number,
  before: Atom | undefined,
  made: (kind: AtomKind, chars: string, next?: number) => Atom,
): Atom | null {
  const letter = tokens[at]?.text ?? '';
  if (!/^\p{L}$/u.test(letter)) return null;
  const isArticle = letter === 'a' || letter === 'i' || letter === 'y';
  if (isArticle) {
    const behind = [tokens[at + 1], tokens[at + 2]].map(isChar);
    if (before === undefined ? !behind.every(Boolean) : !behind[0] && tokens[at + 1]?.kind === 'word') return null;
  } else if (before === undefined && !isChar(tokens[at + 1]) && !(isJoint(tokens[at + 1]) && isChar(tokens[at + 2]))) {
    return null;
  }
  const upper = letter.toUpperCase();
  const [one, two, three] = [tokens[at + 1]?.text, tokens[at + 2]?.text, tokens[at + 3]?.text];
  if (one === 'as' && two === 'in' && three?.startsWith(letter)) return made('letter', upper, at + 4);
  if (one === 'for' && two?.startsWith(letter)) return made('letter', upper, at + 3);
  return made('letter', upper);
}

const isChar = (token: Token | undefined) =>
  token !== undefined && (token.kind === 'digits' || (token.kind === 'word' && oneChar(token) !== null));

function oneChar(token: Token | undefined): string | null {
  if (token === undefined || token.kind === 'sign') return null;
  if (token.text.length === 1) return token.text.toUpperCase();
  const digits = NUMBER_PHRASES.get(foldWord(token.text));
  if (digits?.length === 1) return digits;
  return LETTER_CALLED.get(token.text) ?? null;
}

/** The longest number of up to two figures that begins at a token; "oh" and "hundred" only behind others. */
function phraseAt(
  tokens: readonly Token[],
  at: number,
  before: Atom | undefined,
): { digits: string; next: number } | null {
  let phrase = '';
  let found: { digits: string; next: number } | null = null;
  let next = at;
  for (let words = 0; words < PHRASE_WORDS; words += 1) {
    if (words > 0 && tokens[next]?.text === '-' && isGlued(tokens, next)) next += 1;
    const token = tokens[next];
    if (token?.kind !== 'word') break;
    phrase += `${words === 0 ? '' : ' '}${foldWord(token.text)}`;
    next += 1;
    const digits = NUMBER_PHRASES.get(phrase);
    if (digits !== undefined) found = { digits, next };
  }
  if (found === null) return null;
  const first = tokens[at]?.text ?? '';
  if (first === 'hundred' && (before === undefined || !/\d$/.test(before.chars))) return null;
  const isFigureBehind = tokens[at + 1]?.kind === 'digits' || NUMBER_PHRASES.has(foldWord(tokens[at + 1]?.text ?? ''));
  if ((first === 'oh' || first === 'o') && before === undefined && !isFigureBehind) return null;
  if (first === 'o' && tokens[at + 1]?.text.length === 1 && !isFigureBehind) return null;
  if (first === 'o' && before !== undefined && !/\d$/.test(before.chars)) return null;
  if (ALSO_WORDS.has(first) && before?.kind !== 'said' && !isSaidFigure(tokens[at + 1])) return null;
  return found;
}

const isSaidFigure = (token: Token | undefined) =>
  token?.kind === 'word' && NUMBER_PHRASES.has(foldWord(token.text)) && token.text !== 'o';

const CODE_AT_LEAST = 5;

/** A code as one run; letters and digits that make none apart. */
function partsOf(atoms: readonly Atom[]): Run[] {
  const whole = runOf(atoms);
  if (isDigits(whole.chars) || !/\d/.test(whole.chars)) return [whole];
  const digits = whole.chars.replaceAll(/\D/g, '').length;
  if (whole.chars.length >= CODE_AT_LEAST && digits >= 2) return [whole];
  const parts: Atom[][] = [];
  for (const atom of atoms) {
    const last = parts.at(-1);
    if (last !== undefined && isDigits(last[0]?.chars ?? '') === isDigits(atom.chars)) last.push(atom);
    else parts.push([atom]);
  }
  return parts.map(runOf);
}

function runOf(atoms: readonly Atom[]): Run {
  const [from, to] = [atoms[0]?.from ?? 0, atoms.at(-1)?.to ?? 0];
  return { from, to, chars: atoms.map(({ chars }) => chars).join(''), atoms };
}

function hiddenTokens(text: string, tokens: readonly Token[]): Set<number> {
  const hidden = new Set<number>();
  for (const pattern of NO_RUNS) {
    let at = 0;
    for (const match of text.matchAll(pattern)) {
      while (at < tokens.length && (tokens[at]?.from ?? 0) < match.index) at += 1;
      for (; at < tokens.length && (tokens[at]?.to ?? 0) <= match.index + match[0].length; at += 1) hidden.add(at);
    }
  }
  return hidden;
}

function sayAtom(text: string, { kind }: Atom, chars: string): string {
  switch (kind) {
    case 'figures':
      return chars;
    case 'letters':
      return text === text.toLowerCase() ? chars.toLowerCase() : chars;
    case 'letter':
      return text.charAt(0) === text.charAt(0).toLowerCase() ? chars.toLowerCase() : chars;
    case 'called':
      return inCaseOf(text, CALLED.get(chars) ?? chars);
    case 'repeat': {
      const [word = 'double', ...rest] = text.split(/\s+/);
      const isFigures = /\d/.test(rest.join(''));
      const each = [...chars].map((one) => (isFigures || !/\d/.test(one) ? one : sayBelow100(Number(one), 'en')));
      return new Set(chars).size === 1 ? `${word} ${each[0] ?? ''}` : each.join(' ');
    }
    case 'said': {
      const speech = speechOf(foldWord(text.replaceAll('-', ' ')));
      if (!/^\d+$/.test(chars)) return chars;
      const isWhole = chars.length === 2 && !chars.startsWith('0');
      const words = isWhole ? [chars] : [...chars];
      return inCaseOf(text, words.map((one) => sayBelow100(Number(one), speech)).join(' '));
    }
  }
}

/** Capitals where the original has them. */
export function inCaseOf(original: string, text: string): string {
  const letters = original.replaceAll(/[^\p{L}]/gu, '');
  if (letters.length > 1 && letters === letters.toUpperCase() && letters !== letters.toLowerCase())
    return text.toUpperCase();
  const first = letters.charAt(0);
  const isCapital = first !== first.toLowerCase();
  return isCapital ? text.charAt(0).toUpperCase() + text.slice(1) : text.toLowerCase();
}
