import type { NormalisedCall } from '../calls/call.ts';
import { editDistance } from '../edit-distance.ts';
import { seededRandom } from '../random.ts';
import { type Day, madeUpDay, readDays, type WrittenDay } from './births.ts';
import { isCard } from './checksums.ts';
import { readEmails } from './emails.ts';
import { GIVEN_NAMES, WORDS_TOO } from './given-names.ts';
import { type KeyedValue, keyedValues } from './keyed-values.ts';
import { madeUpNumber } from './made-up-numbers.ts';
import { MADE_UP_FAMILY, MADE_UP_GIVEN, MADE_UP_PLACES, MADE_UP_STREETS } from './made-up-words.ts';
import { foldWord } from './number-words.ts';
import { ORDINARY } from './ordinary-words.ts';
import { findNames, isGiven, usualNames, wordsIn } from './people.ts';
import { type Run, readRuns } from './runs.ts';
import { readStreets } from './streets.ts';

/** What stands for what on one call. */
export interface StandIns {
  /** By words without accents in lower case. `isLoose`: a word too, that is meant only where it stands as a name. */
  words: ReadonlyMap<string, { to: string; isLoose: boolean }>;
  /** By digits and letters alone. */
  numbers: ReadonlyMap<string, string>;
  emails: ReadonlyMap<string, string>;
  births: readonly { real: Day; to: Day }[];
  /** By the words of the name; for each house number that was told, another. */
  streets: ReadonlyMap<string, string>;
  houses: ReadonlyMap<string, string>;
  /** Of turns in which a number was read out in pieces: what stands for the digits of each. */
  pieces: ReadonlyMap<number, readonly string[]>;
}

/** A crafted record must not hold up whoever reads it. */
const EACH_AT_MOST = 400;
const CHARS_AT_MOST = 1_000_000;

interface SaidText {
  text: string;
  role: 'caller' | 'agent' | 'none';
  /** The words of the agent before it. */
  asked: string;
}

/** @param own texts of the agent's own configuration: what stands in them is of no caller. */
export function collectPersonal(call: NormalisedCall, own: readonly string[]): StandIns {
  const documents = call.turns.flatMap(({ toolCall, toolResult }) => [
    ...(toolCall ? [toolCall.args] : []),
    ...(toolResult ? [toolResult.body] : []),
  ]);
  const keyed = [...documents, call.variables ?? {}, call.metadata ?? {}]
    .flatMap(keyedValues)
    .slice(0, EACH_AT_MOST * 20);
  const said = saidTexts(call);
  const written = keyed.filter(({ meaning }) => meaning !== 'count');
  const texts = limited([...said, ...written.map(({ text }): SaidText => ({ text, role: 'none', asked: '' }))]);
  const random = seededRandom(seedOf(call.providerCallId));
  const present = new Set(
    [...texts.map(({ text }) => text), ...own].flatMap((text) => wordsIn(text).map((word) => foldWord(word.text))),
  );
  const draw = drawer(random, present);
  const ownTexts = own.map((text) => text.slice(0, CHARS_AT_MOST));
  const words = collectWords(call, said, keyed, draw);
  const births = collectBirths(call, texts, keyed, random);
  const readOut = dictated(call);
  const numbers = collectNumbers(call, texts, keyed, { own: ownTexts, births, readOut, random });
  return {
    words,
    births,
    emails: collectEmails(texts, ownTexts, words, { draw, random }),
    numbers,
    pieces: piecesOf(readOut, numbers),
    ...collectStreets(texts, keyed, { own: ownTexts, words, draw, random }),
  };
}

function saidTexts(call: NormalisedCall): SaidText[] {
  let asked = '';
  return call.turns.map(({ role, text }) => {
    const one: SaidText = { text, role: role === 'caller' || role === 'agent' ? role : 'none', asked };
    if (role === 'agent' && text.trim() !== '') asked = text;
    return one;
  });
}

function limited(texts: readonly SaidText[]): SaidText[] {
  let left = CHARS_AT_MOST;
  return texts.filter(({ text }) => {
    left -= text.length;
    return left >= 0 && text !== '';
  });
}

/** Of the id, which tells nothing of what was said. */
function seedOf(id: string): number {
  let seed = 0x811c9dc5;
  for (const char of id) seed = Math.imul(seed ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return seed >>> 0;
}

type Random = ReturnType<typeof seededRandom>;
type Draw = (list: readonly string[]) => string;

/** A word of a list that stands nowhere on the call, each once. */
function drawer(random: Random, present: ReadonlySet<string>): Draw {
  const used = new Set<string>();
  return (list) => {
    const start = Math.floor(random.next() * list.length);
    for (let round = 0; round < EACH_AT_MOST; round += 1) {
      const plain = list[(start + round) % list.length] ?? '';
      const ending =
        ['', 'well', 'ton', 'by', 'ham', 'mere'][Math.floor(round / list.length)] ?? `a${'b'.repeat(round % 7)}`;
      const word = `${plain}${ending}`;
      if (used.has(word) || present.has(foldWord(word))) continue;
      used.add(word);
      return word;
    }
    return list[start] ?? '';
  };
}

const NEAR_LETTERS_AT_LEAST = 5;
const NEAR_AT_MOST = 2;
const SPELLED_AT_LEAST = 4;

function collectWords(
  call: NormalisedCall,
  said: readonly SaidText[],
  keyed: readonly KeyedValue[],
  draw: Draw,
): Map<string, { to: string; isLoose: boolean }> {
  const words = new Map<string, { to: string; isLoose: boolean }>();
  const keep = (word: string, kind: 'given' | 'family') => {
    const folded = foldWord(word);
    if (folded.length < 2 || words.has(folded) || words.size >= EACH_AT_MOST || /\d/.test(folded)) return;
    const isLoose = folded.length < 3 || WORDS_TOO.has(folded) || ORDINARY.has(folded);
    words.set(folded, { to: draw(kind === 'given' ? MADE_UP_GIVEN : MADE_UP_FAMILY), isLoose });
  };
  const keepName = (names: readonly string[], kind: 'whole' | 'given' | 'family') => {
    for (const [at, word] of names.entries()) {
      const isLast = at === names.length - 1;
      const isFamily = kind === 'family' || (isLast && (names.length > 1 || !isGiven(word)));
      keep(word, isFamily ? 'family' : 'given');
    }
  };
  for (const { text, meaning } of keyed) {
    if (meaning !== 'name' || text.length > 80) continue;
    keepName(
      wordsIn(text)
        .map((word) => word.text)
        .filter(
          (word) => GIVEN_NAMES.has(foldWord(word)) || !(TITLES.has(foldWord(word)) || ORDINARY.has(foldWord(word))),
        ),
      'whole',
    );
  }
  for (const { text, meaning } of keyed)
    if (meaning === 'plain')
      for (const { words: name, kind } of usualNames(text.slice(0, CHARS_AT_MOST / 100))) keepName(name, kind);
  for (const { words: name, kind } of findNames(call.turns)) keepName(name, kind);
  for (const { text, role } of said) {
    if (role === 'none') continue;
    for (const { chars, atoms } of readRuns(text)) {
      const isSpelled = /^\p{L}+$/u.test(chars) && atoms.every(({ kind }) => kind === 'letter' || kind === 'called');
      if (isSpelled && chars.length >= SPELLED_AT_LEAST && cutByWords(chars, words) === null) keep(chars, 'family');
    }
  }
  for (const word of misheard(said, [...words.keys()])) keep(word, 'family');
  return words;
}

export const TITLES = new Set(
  'mr mrs ms miss dr prof herr frau sr sra senor senora don dona mme mlle monsieur madame and und y et'.split(' '),
);

/** "Vostrikoff" for Vostrikov: words in capitals inside a sentence that are nearly a name of the call. */
function misheard(said: readonly SaidText[], names: readonly string[]): string[] {
  const long = names.filter((name) => name.length >= NEAR_LETTERS_AT_LEAST).slice(0, 40);
  if (long.length === 0) return [];
  const seen = new Set<string>();
  for (const { text, role } of said) {
    if (role === 'none' || seen.size >= EACH_AT_MOST) continue;
    for (const { text: word, from } of wordsIn(text))
      if (/^\p{Lu}/u.test(word) && from > 0 && word.length >= NEAR_LETTERS_AT_LEAST) seen.add(word);
  }
  return [...seen].filter((word) => {
    const folded = foldWord(word);
    if (ORDINARY.has(folded) || long.includes(folded)) return false;
    return long.some(
      (name) => name.charAt(0) === folded.charAt(0) && editDistance(name, folded, NEAR_AT_MOST) <= NEAR_AT_MOST,
    );
  });
}

/** A spelling as names of the call in a row, with what stands for them; null where it is none. */
export function cutByWords(chars: string, words: StandIns['words']): string | null {
  const folded = foldWord(chars);
  let made = '';
  let at = 0;
  while (at < folded.length) {
    let end = Math.min(folded.length, at + 40);
    while (end > at + 1 && !words.has(folded.slice(at, end))) end -= 1;
    const found = words.get(folded.slice(at, end));
    if (found === undefined || end - at < 2) return null;
    made += found.to;
    at = end;
  }
  return made;
}

const TELLS_BIRTH =
  /\b(?:born|birth|birthday|birthdate|dob|geboren|geburts\p{L}{0,10}|nac[ií]|nacimiento|naissance|né|née)(?![\p{L}\p{N}])/iu;
const YEARS_OF_OTHER_DAYS = 12;
const BEFORE_AT_MOST = 60;

function collectBirths(
  call: NormalisedCall,
  texts: readonly SaidText[],
  keyed: readonly KeyedValue[],
  random: Random,
): { real: Day; to: Day }[] {
  const callYear = call.startedAt === null ? null : Number(call.startedAt.slice(0, 4));
  const found: WrittenDay[] = [];
  for (const { text, asked, role } of texts) {
    for (const day of readDays(text)) {
      const isOld = day.year <= (callYear ?? 2020) - YEARS_OF_OTHER_DAYS;
      const isTold =
        TELLS_BIRTH.test(text.slice(Math.max(0, day.from - BEFORE_AT_MOST), day.from)) ||
        (role === 'caller' && TELLS_BIRTH.test(asked));
      if (isOld || isTold) found.push(day);
    }
  }
  for (const { text, meaning } of keyed) if (meaning === 'birth') found.push(...readDays(text));
  // What can be read in one way only goes first.
  const births: { real: Day; to: Day }[] = [];
  for (const day of found.toSorted((a, b) => Number(a.isEither) - Number(b.isEither))) {
    if (births.length >= EACH_AT_MOST || birthOf(day, births) !== null) continue;
    const { year, month, day: date } = day;
    const real = { year, month, day: date };
    births.push({ real, to: madeUpDay(real, random) });
  }
  return births;
}

/** The birthday that a written day is, and whether its day and month stand the other way round. */
export function birthOf(written: WrittenDay, births: StandIns['births']): { to: Day; isSwapped: boolean } | null {
  const is = (real: Day, month: number, day: number) =>
    real.year === written.year && real.month === month && real.day === day;
  const straight = births.find(({ real }) => is(real, written.month, written.day));
  if (straight !== undefined) return { to: straight.to, isSwapped: false };
  const swapped = written.isEither ? births.find(({ real }) => is(real, written.day, written.month)) : undefined;
  return swapped === undefined ? null : { to: swapped.to, isSwapped: true };
}

function collectEmails(
  texts: readonly SaidText[],
  own: readonly string[],
  words: StandIns['words'],
  { draw, random }: { draw: Draw; random: Random },
): Map<string, string> {
  const ofAgent = new Set(own.flatMap((text) => readEmails(text).map(({ form }) => form)));
  const found = texts.flatMap(({ text }) => (mayHoldEmail(text) ? readEmails(text) : []));
  const emails = new Map<string, string>();
  for (const { form, isSpoken } of found.toSorted((a, b) => Number(a.isSpoken) - Number(b.isSpoken))) {
    if (emails.has(form) || ofAgent.has(form) || emails.size >= EACH_AT_MOST) continue;
    if (isSpoken && [...emails.keys()].some((known) => isEndOf(form, known))) continue;
    emails.set(form, madeUpEmail(form, words, { draw, random }));
  }
  return emails;
}

export const mayHoldEmail = (text: string) => /@|\b(?:at|arroba|arobase|ät|klammeraffe)\b/iu.test(text);

/** "smith@example.com" of "jane.smith@example.com", or the same in other pieces. */
export function isEndOf(form: string, known: string): boolean {
  const squeezed = (text: string) => text.replaceAll(/[^\p{L}\p{N}@]/gu, '');
  return squeezed(known).endsWith(squeezed(form));
}

function madeUpEmail(form: string, words: StandIns['words'], { draw, random }: { draw: Draw; random: Random }): string {
  const [name = ''] = form.split('@');
  const made = name.replaceAll(/\p{L}+|\d+/gu, (piece) => {
    if (/^\d/.test(piece)) return madeUpNumber(piece, random, new Set());
    const known = words.get(foldWord(piece));
    if (known !== undefined) return known.to.toLowerCase();
    if (piece.length === 1) return 'abcdefghjkmnpqrstuvwxyz'.charAt(Math.floor(random.next() * 23));
    return draw(piece.length > 5 ? MADE_UP_FAMILY : MADE_UP_GIVEN).toLowerCase();
  });
  return `${made}@example.com`;
}

const LONG_FIGURES = 6;
const LONG_PIECES = 7;
const SPELLED_FIGURES = 5;
const CODE_DIGITS = 3;
const TOLD_AT_LEAST = 3;
const POSTCODE = /^(?:[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}|[A-Z]\d[A-Z]\d[A-Z]\d)$/;
const TELLS_NUMBER =
  /(?:ending(?: in| with)?|ends (?:in|with)|last (?:four|three|4|3)(?: digits)?|zip(?: code)?|postal code|post ?code|pin|cvv|cvc|security code|account|policy|member|card|phone|mobile|cell|ssn|social security|licen[cs]e|passport|id|number|digits|postleitzahl|plz|nummer|código postal|número|code postal|numéro)[^.?!\d]{0,25}$/iu;
const ASKS_NUMBER =
  /(?<!\p{L})(?:zip|postal|post ?code|pin|cvv|cvc|security code|account|policy|member(?:ship)?|card|phone|mobile|cell|ssn|social security|licen[cs]e|passport|reference|confirmation|id|number|digits|postleitzahl|plz|\p{L}{0,20}nummer|código postal|número|teléfono|code postal|numéro|téléphone)(?!\p{L})/iu;

interface Wanted {
  chars: string;
  /** Told by a tool, a platform, or its check digits; what is said may be pieces of it. */
  isSure: boolean;
  hasPlus: boolean;
}

function collectNumbers(
  call: NormalisedCall,
  texts: readonly SaidText[],
  keyed: readonly KeyedValue[],
  {
    own,
    births,
    readOut,
    random,
  }: { own: readonly string[]; births: StandIns['births']; readOut: readonly ReadOut[]; random: Random },
): Map<string, string> {
  const ofAgent = new Set(own.flatMap((text) => readRuns(text).map(({ chars }) => chars)));
  const wanted: Wanted[] = [];
  const want = (chars: string, isSure: boolean, hasPlus = false) => {
    if (!ofAgent.has(chars) && /\d/.test(chars)) wanted.push({ chars, isSure, hasPlus });
  };
  for (const chars of numberForms(call.callerNumber ?? '')) want(chars, true, true);
  for (const { text, meaning } of keyed) {
    if (meaning !== 'number' || text.length > 80) continue;
    for (const { chars } of readRuns(text)) if (chars.length >= TOLD_AT_LEAST) want(chars, true, text.startsWith('+'));
  }
  for (const { pieces } of readOut) want(pieces.map(({ chars }) => chars).join(''), true);
  const isOfDay = (text: string) => {
    const days = readDays(text);
    return (run: Run) => days.some(({ from, to }) => run.from < to && from < run.to);
  };
  for (const one of texts) {
    const { text, role } = one;
    if (!/[\p{L}\d]/u.test(text)) continue;
    const inDay = isOfDay(text);
    for (const run of readRuns(text)) {
      if (inDay(run)) continue;
      const hasPlus = text.charAt(run.from - 1) === '+';
      for (const card of cardsIn(run)) want(card, true);
      if (isPersonal(one, run)) want(run.chars, role === 'none' || hasPlus, hasPlus);
    }
  }
  const numbers = new Map<string, string>();
  const add = ({ chars, hasPlus }: Wanted) => {
    if (numbers.has(chars) || numbers.size >= EACH_AT_MOST) return;
    const taken = new Set(numbers.values());
    const kept = hasPlus && !/^1[2-9]\d{9}$/.test(chars) && chars.length > LONG_PIECES ? 2 : 0;
    numbers.set(chars, chars.slice(0, kept) + madeUpNumber(chars.slice(kept), random, taken));
  };
  for (const { real, to } of births)
    for (const [at, form] of dayForms(real).entries()) numbers.set(form, dayForms(to)[at] ?? form);
  const longestFirst = wanted.toSorted(
    (a, b) => Number(b.isSure) - Number(a.isSure) || b.chars.length - a.chars.length,
  );
  for (const one of longestFirst) {
    const known = [...numbers.keys()];
    if (known.some((form) => form.includes(one.chars))) continue;
    const inside = known.find((form) => form.length >= LONG_PIECES && one.chars.includes(form));
    if (inside === undefined) add(one);
    else
      for (const rest of one.chars.split(inside))
        if (rest.length >= TOLD_AT_LEAST) add({ ...one, chars: rest, hasPlus: false });
  }
  return numbers;
}

const numberForms = (text: string) => readRuns(text).map(({ chars }) => chars);

function isPersonal({ text, role, asked }: SaidText, { chars, atoms, from }: Run): boolean {
  const digits = chars.replaceAll(/\D/g, '').length;
  if (digits === 0) return false;
  if (POSTCODE.test(chars)) return true;
  if (digits < chars.length) return chars.length >= SPELLED_FIGURES && digits >= CODE_DIGITS;
  if (role === 'none' && /^1\d{9}(?:\d{3})?$/.test(chars) && text === chars) return false;
  if (atoms.length === 1 ? chars.length >= LONG_FIGURES : chars.length >= LONG_PIECES) return true;
  if (role === 'none') return false;
  const isSpelled = atoms.every((atom) => atom.chars.length === 1);
  if (isSpelled && chars.length >= SPELLED_FIGURES) return true;
  if (chars.length < TOLD_AT_LEAST) return false;
  if (TELLS_NUMBER.test(text.slice(Math.max(0, from - BEFORE_AT_MOST), from))) return true;
  return role === 'caller' && ASKS_NUMBER.test(asked);
}

/** Pieces of a run that are a card by their check digit. */
export function cardsIn({ chars, atoms }: Run): string[] {
  if (!/^\d{13,}$/.test(chars)) return [];
  const cards: string[] = [];
  for (let first = 0; first < Math.min(atoms.length, 40); first += 1) {
    let digits = '';
    for (const atom of atoms.slice(first, first + 20)) {
      digits += atom.chars;
      if (digits.length > 19) break;
      if (isCard(digits)) cards.push(digits);
    }
  }
  return cards.slice(0, 1);
}

const WORDS_BESIDE_AT_MOST = 4;
const PIECES_AT_MOST = 8;

/** A card that a caller reads out over several turns. */
export interface ReadOut {
  pieces: readonly { turn: number; chars: string }[];
}

export function dictated(call: Pick<NormalisedCall, 'turns'>): ReadOut[] {
  const cards: ReadOut[] = [];
  let pieces: { turn: number; chars: string }[] = [];
  for (const [turn, { role, text }] of call.turns.entries()) {
    if (role !== 'caller' || text.trim() === '') continue;
    const runs = readRuns(text).filter(({ chars }) => IS_PIECE.test(chars));
    const said = runs.map((run) => text.slice(run.from, run.to)).join(' ');
    const beside = wordsIn(text).length - wordsIn(said).length;
    if (runs.length === 0 || beside > WORDS_BESIDE_AT_MOST) {
      pieces = [];
      continue;
    }
    pieces = [...pieces, ...runs.map(({ chars }) => ({ turn, chars }))].slice(-PIECES_AT_MOST);
    for (let first = 0; first < pieces.length; first += 1) {
      const row = pieces.slice(first);
      if (row.length > 1 && isCard(row.map(({ chars }) => chars).join(''))) {
        cards.push({ pieces: row });
        pieces = [];
      }
    }
  }
  return cards;
}

export const IS_PIECE = /^\d{2,}$/;

function piecesOf(readOut: readonly ReadOut[], numbers: StandIns['numbers']): Map<number, string[]> {
  const made = new Map<number, string[]>();
  for (const { pieces } of readOut) {
    const whole = numbers.get(pieces.map(({ chars }) => chars).join(''));
    let at = 0;
    for (const { turn, chars } of whole === undefined ? [] : pieces) {
      made.set(turn, [...(made.get(turn) ?? []), whole?.slice(at, at + chars.length) ?? '']);
      at += chars.length;
    }
  }
  return made;
}

/** A birthday as it is read out in figures. */
function dayForms({ year, month, day }: Day): string[] {
  const [m, d, y] = [String(month).padStart(2, '0'), String(day).padStart(2, '0'), String(year)];
  return [
    `${m}${d}${y}`,
    `${d}${m}${y}`,
    `${y}${m}${d}`,
    `${m}${d}${y.slice(2)}`,
    `${d}${m}${y.slice(2)}`,
    `${month}${day}${y}`,
  ];
}

const PLACE_WORDS_AT_MOST = 3;

function collectStreets(
  texts: readonly SaidText[],
  keyed: readonly KeyedValue[],
  {
    own,
    words,
    draw,
    random,
  }: { own: readonly string[]; words: Map<string, { to: string; isLoose: boolean }>; draw: Draw; random: Random },
): Pick<StandIns, 'streets' | 'houses'> {
  const streets = new Map<string, string>();
  const houses = new Map<string, string>();
  const ofAgent = foldWord(own.join(' '));
  for (const { text } of texts) {
    for (const { name, number } of readStreets(text)) {
      const folded = foldName(text.slice(name.from, name.to));
      const isOwn = folded !== '' && ofAgent.includes(folded);
      if (isOwn || streets.size >= EACH_AT_MOST) continue;
      if (folded !== '' && !streets.has(folded)) streets.set(folded, streetLike(folded, draw));
      if (number === null) continue;
      for (const { chars } of readRuns(text.slice(number.from, number.to)))
        if (!houses.has(chars)) houses.set(chars, madeUpNumber(chars, random, new Set(houses.values())));
    }
  }
  for (const { text, meaning } of keyed) {
    const place = foldName(text);
    if (meaning !== 'city' || place === '' || place.split(' ').length > PLACE_WORDS_AT_MOST || /\d/.test(place))
      continue;
    if (!ofAgent.includes(place) && !streets.has(place)) streets.set(place, draw(MADE_UP_PLACES));
    if (!place.includes(' ') && streets.has(place) && !words.has(place))
      words.set(place, { to: streets.get(place) ?? '', isLoose: ORDINARY.has(place) });
  }
  return { streets, houses };
}

const streetLike = (name: string, draw: Draw) =>
  name
    .split(' ')
    .slice(0, 2)
    .map(() => draw(MADE_UP_STREETS))
    .join(' ');

export const foldName = (text: string) =>
  foldWord(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
