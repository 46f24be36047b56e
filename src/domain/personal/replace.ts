import { readDays, sayDay } from './births.ts';
import { birthOf, cutByWords, foldName, IS_PIECE, isEndOf, mayHoldEmail, type StandIns } from './collect.ts';
import { readEmails, sayEmail } from './emails.ts';
import { foldWord } from './number-words.ts';
import { wordsIn } from './people.ts';
import { inCaseOf, type Run, readRuns, sayRun, spellAs } from './runs.ts';
import { readStreets } from './streets.ts';

interface Edit {
  from: number;
  to: number;
  text: string;
}

export interface Replacer {
  /** The text with the stand-in of each value that is known, however it is written or said there. */
  text(given: string, of?: SaidWhere): string;
  number(given: number): number;
}

export interface SaidWhere {
  /** Somebody said it: a short row of digits may be a piece of a number. */
  isSaid: boolean;
  /** What stands for the digits of a number that is read out over several turns. */
  pieces?: readonly string[] | undefined;
}

const PART_AT_LEAST = 4;
const DICTATED_AT_LEAST = 2;
const PART_AT_MOST = 20;
const START = 4;

export function openReplacer(known: StandIns): Replacer {
  const lookUp = openNumbers(known.numbers);
  const isNothing = Object.values(known).every((one: ReadonlyMap<string, unknown> | readonly unknown[]) =>
    'size' in one ? one.size === 0 : one.length === 0,
  );
  return {
    text(given, of = { isSaid: false }) {
      if (isNothing) return given;
      const edits: Edit[] = [];
      const add = (edit: Edit) => {
        if (!edits.some(({ from, to }) => edit.from < to && from < edit.to)) edits.push(edit);
      };
      for (const edit of emailEdits(given, known)) add(edit);
      for (const edit of streetEdits(given, known)) add(edit);
      for (const edit of dayEdits(given, known)) add(edit);
      for (const edit of runEdits(given, known, lookUp, of)) add(edit);
      for (const edit of wordEdits(given, known, edits)) add(edit);
      return applied(given, edits);
    },
    number(given) {
      const text = String(given);
      const made = Number.isSafeInteger(given) ? lookUp(text, PART_AT_LEAST, true) : null;
      return made === null || made === text ? given : Number(made);
    },
  };
}

function applied(text: string, edits: readonly Edit[]): string {
  let made = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    made += text.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return made + text.slice(at);
}

function emailEdits(text: string, { emails }: StandIns): Edit[] {
  if (emails.size === 0 || !mayHoldEmail(text)) return [];
  return readEmails(text).flatMap(({ from, to, form, isSpoken, before }) => {
    const same = emails.get(form);
    if (same !== undefined) return [{ from, to, text: isSpoken ? sayEmail(same) : same }];
    const whole = [...emails].find(([known]) => isEndOf(form, known));
    if (whole === undefined) return [];
    // Words before it may be the rest of the address that a tool has in one.
    let start = from;
    let held = form;
    for (const word of before.toReversed()) {
      held = `${word.text}${held}`;
      if (!isEndOf(held, whole[0])) break;
      start = word.from;
    }
    return [{ from: start, to, text: isSpoken ? sayEmail(whole[1]) : whole[1] }];
  });
}

function streetEdits(text: string, { streets, houses }: StandIns): Edit[] {
  if (streets.size === 0 && houses.size === 0) return [];
  const edits: Edit[] = [];
  for (const { name, number } of readStreets(text)) {
    const written = text.slice(name.from, name.to);
    const to = written === '' ? '' : streets.get(foldName(written));
    if (to === undefined) continue;
    if (written !== '') edits.push({ ...name, text: likeWords(written, to) });
    if (number === null) continue;
    const said = text.slice(number.from, number.to);
    const runs = readRuns(said);
    let made = '';
    let at = 0;
    for (const run of runs) {
      made += said.slice(at, run.from) + sayRun(said, run, houses.get(run.chars) ?? run.chars);
      at = run.to;
    }
    edits.push({ ...number, text: made + said.slice(at) });
  }
  const whole = streets.get(foldName(text));
  if (edits.length === 0 && whole !== undefined) edits.push({ from: 0, to: text.length, text: likeWords(text, whole) });
  return edits;
}

/** Each word in the case of the original's. */
function likeWords(original: string, text: string): string {
  const first = /\p{L}[\p{L}\p{M}]*/u.exec(original)?.[0] ?? '';
  return text
    .split(' ')
    .map((word) => inCaseOf(first, word))
    .join(' ');
}

function dayEdits(text: string, { births }: StandIns): Edit[] {
  if (births.length === 0) return [];
  return readDays(text).flatMap((written) => {
    const found = birthOf(written, births);
    if (found === null) return [];
    return [{ from: written.from, to: written.to, text: sayDay(text, written, found.to, found.isSwapped) }];
  });
}

type LookUp = (chars: string, partAtLeast: number, isWhole?: boolean) => string | null;

function runEdits(text: string, { words }: StandIns, lookUp: LookUp, { isSaid, pieces = [] }: SaidWhere): Edit[] {
  const runs = readRuns(text);
  const inRuns = runs.reduce((sum, { from, to }) => sum + to - from, 0);
  const isDictated = isSaid && inRuns * 2 > text.trim().length;
  // The pieces are those at the end of the first turn, and all of the others.
  let piece = pieces.length - runs.filter(({ chars }) => IS_PIECE.test(chars)).length;
  return runs.flatMap((run): Edit[] => {
    const { from, to, chars } = run;
    if (!/\d/.test(chars)) return spelled(text, run, words);
    const own = IS_PIECE.test(chars) ? pieces[piece++] : undefined;
    if (own !== undefined) return [{ from, to, text: sayRun(text, run, own) }];
    const made = lookUp(chars, isDictated ? DICTATED_AT_LEAST : PART_AT_LEAST);
    return made === null || made === chars ? [] : [{ from, to, text: sayRun(text, run, made) }];
  });
}

function spelled(text: string, run: Run, words: StandIns['words']): Edit[] {
  const { from, to, chars } = run;
  if (chars.length < 2 || run.atoms.some(({ kind }) => kind !== 'letter' && kind !== 'called')) return [];
  const whole = cutByWords(chars, words);
  if (whole !== null) return [{ from, to, text: spellAs(text, run, whole) }];
  if (chars.length < 3) return [];
  const folded = foldWord(chars);
  const part = [...words].find(([word]) => word.includes(folded));
  return part === undefined ? [] : [{ from, to, text: spellAs(text, run, part[1].to.slice(0, chars.length)) }];
}

/** What stands for a row of digits and letters that is a number, holds some, or is a part of one; null where none is known. */
function openNumbers(numbers: ReadonlyMap<string, string>): LookUp {
  const starts = new Map<string, string[]>();
  const parts = new Map<string, { whole: string; at: number }>();
  const longest = [...numbers.keys()].toSorted((a, b) => b.length - a.length);
  const keepPart = (whole: string, at: number, to: number) => {
    const part = whole.slice(at, to);
    if (part.length >= DICTATED_AT_LEAST && !parts.has(part)) parts.set(part, { whole, at });
  };
  for (const form of longest) {
    const start = form.slice(0, START);
    starts.set(start, [...(starts.get(start) ?? []), form]);
  }
  const cut = longest.filter(({ length }) => length > START && length <= PART_AT_MOST);
  // The last digits are told most often.
  for (const form of cut) for (let at = 0; at < form.length; at += 1) keepPart(form, at, form.length);
  for (const form of cut)
    for (let at = 0; at < form.length; at += 1) for (let to = at + 1; to < form.length; to += 1) keepPart(form, at, to);
  const partOf = (chars: string): string | null => {
    const found = parts.get(chars);
    return found === undefined ? null : (numbers.get(found.whole) ?? '').slice(found.at, found.at + chars.length);
  };
  return (chars, partAtLeast, isWhole = false) => {
    const exact = numbers.get(chars);
    if (exact !== undefined || isWhole) return exact ?? null;
    let made = '';
    let rest = '';
    const close = () => {
      made += (rest.length >= partAtLeast ? partOf(rest) : null) ?? rest;
      rest = '';
    };
    for (let at = 0; at < chars.length; ) {
      const found = starts
        .get(chars.slice(at, at + START))
        ?.find((form) => form.length > START && chars.startsWith(form, at));
      if (found === undefined) {
        rest += chars.charAt(at);
        at += 1;
      } else {
        close();
        made += numbers.get(found) ?? found;
        at += found.length;
      }
    }
    close();
    return made === chars ? null : made;
  };
}

const MEANS_NAME =
  /(?:name(?:'s| is)?|mrs?\.?|ms\.?|miss|dr\.?|this is|i['’]m|herr|frau|thanks|thank you|hi|hello),?\s{0,2}$/iu;

function wordEdits(text: string, { words }: StandIns, before: readonly Edit[]): Edit[] {
  const isTaken = (from: number) => before.some((edit) => edit.from <= from && from < edit.to);
  return namesIn(text, words).flatMap(({ from, to, known, hasEnding }) =>
    isTaken(from) ? [] : [{ from, to, text: `${inCaseOf(text.slice(from, to), known.to)}${hasEnding ? 's' : ''}` }],
  );
}

interface NameIn<Known> {
  from: number;
  to: number;
  known: Known;
  /** "Vostrikovs": of Vostrikov. */
  hasEnding: boolean;
}

/** Words of known names in a text, where they stand as names. */
export function namesIn<Known extends { isLoose: boolean; isCapital?: boolean }>(
  text: string,
  words: ReadonlyMap<string, Known>,
): NameIn<Known>[] {
  if (words.size === 0) return [];
  const found = wordsIn(text);
  const isKnownBeside = (at: number, other: number) => {
    const [word, beside] = [found[at], found[other]];
    if (word === undefined || beside === undefined || !words.has(foldWord(beside.text))) return false;
    return text.slice(Math.min(word.to, beside.to), Math.max(word.from, beside.from)).trim() === '';
  };
  return found.flatMap(({ text: word, from, to }, at): NameIn<Known>[] => {
    const folded = foldWord(word);
    const own = words.get(folded);
    const stem =
      own === undefined && folded.length > 4 && folded.endsWith('s') ? words.get(folded.slice(0, -1)) : undefined;
    const known = own ?? stem;
    if (known === undefined) return [];
    if (known.isLoose) {
      const isCapital = /^\p{Lu}/u.test(word);
      const isFirst = /(?:^|[.!?:])\s*["“']?$/.test(text.slice(Math.max(0, from - 4), from)) || from === 0;
      const isAlone = found.length === 1;
      const meansName = MEANS_NAME.test(text.slice(Math.max(0, from - 20), from));
      const isName =
        isKnownBeside(at, at - 1) ||
        isKnownBeside(at, at + 1) ||
        isAlone ||
        meansName ||
        (isCapital && (!isFirst || known.isCapital === true));
      if (!isName) return [];
    }
    return [{ from, to, known, hasEnding: stem !== undefined }];
  });
}
