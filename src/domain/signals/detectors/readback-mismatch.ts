import type { Correction } from '../../acts/act.ts';
import { does } from '../../acts/act.ts';
import { type SpokenTurn, says } from '../../acts/spoken-turn.ts';
import { firstFrom } from '../../calls/stretch.ts';
import { resultLeaves } from '../../calls/use-leaves.ts';
import { editDistance } from '../../edit-distance.ts';
import { isNearCode, isShuffled } from '../../values/near-code.ts';
import { compare } from '../../values/same-value.ts';
import type { ActValue } from '../../values/value.ts';
import type { Detector } from '../catalogue-entry.ts';
import { READBACK_MISMATCH } from '../entries/hearing.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

/** The agent reads back a code, a long number or an e-mail address that differs from what the caller gave. */
export const readbackMismatch: Detector = {
  entry: READBACK_MISMATCH,
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    if (reading.caller.length === 0) return { reason: 'The caller said nothing on this call.' };
    const { corrections } = reading.talk;
    const contradicted = corrections.flatMap((one, at) => (isKept(corrections, at) ? [] : misread(reading, one)));
    const known = new Set(contradicted.map(({ turnIndex }) => turnIndex));
    const unlike = reading.agent.flatMap((turn) => {
      if (known.has(turn.index)) return [];
      const pair =
        unlikeCode(reading, turn, limit(thresholds, 'charactersApart')) ??
        unlikeSpelling(reading, turn) ??
        unlikeEmail(reading, turn);
      return pair === null ? [] : [toDetection(reading, turn, pair)];
    });
    return [...contradicted, ...unlike].sort((a, b) => a.turnIndex - b.turnIndex);
  },
};

/** Put right once already: whoever still has it wrong kept it, and heard nothing anew. */
function isKept(corrections: readonly Correction[], at: number): boolean {
  const correction = corrections[at];
  return (
    correction !== undefined &&
    corrections
      .slice(Math.max(0, at - CORRECTIONS_BACK), at)
      .some(
        ({ turn, old, now }) =>
          turn < correction.oldTurn &&
          compare(old, correction.old) === 'same' &&
          compare(now, correction.now) === 'same',
      )
  );
}

/** The caller had said it before, the agent read another value back, and the caller corrected it. */
function misread(reading: CallReading, { turn, old, oldBy, oldTurn, now, explicit }: Correction): Detection[] {
  if (oldBy !== 'agent' || !explicit) return [];
  const end = firstFrom(reading.spoken, oldTurn);
  const earlier = reading.spoken.slice(Math.max(0, end - TURNS_BACK), end).filter((one) => one.role === 'caller');
  const before = earlier.find((one) => one.values.some((value) => !value.denied && compare(value, now) === 'same'));
  const saidOld = earlier.some((one) => one.values.some((value) => !value.denied && compare(value, old) === 'same'));
  if (before === undefined || saidOld || isOffered(reading, oldTurn)) return [];
  return [
    {
      turnIndex: oldTurn,
      quote: old.text,
      detail: `The caller had said "${now.text}" at turn ${before.index}; the agent said "${old.text}", and the caller corrected it at turn ${turn}.`,
      place: placeAt(reading, oldTurn),
      confidence: 0.8,
    },
  ];
}

/** "I can offer three, shall I book that?" is another choice, and nothing that was heard. */
function isOffered(reading: CallReading, index: number): boolean {
  const turn = reading.spokenAt.get(index);
  return does(turn, 'offers') && !does(turn, 'reads_back', 'claims_done');
}

const TURNS_BACK = 40;
const CORRECTIONS_BACK = 40;

interface Pair {
  given: string;
  givenAt: number;
  read: string;
}

function toDetection(reading: CallReading, turn: SpokenTurn, { given, givenAt, read }: Pair): Detection {
  return {
    turnIndex: turn.index,
    quote: read,
    detail: `The caller gave "${given}" at turn ${givenAt}, and "${read}" was read back.`,
    place: placeAt(reading, turn.index),
    confidence: 0.8,
  };
}

/** Where the caller says yes the transcript misheard, and not the agent; but nobody hears figures in another order. */
function isConfirmed(reading: CallReading, turn: SpokenTurn): boolean {
  const reply = reading.spoken[turn.order + 1];
  if (reply?.role !== 'caller' || !says(reply, 'yes')) return false;
  return !['no', 'not_quite', 'corrects'].some((list) => says(reply, list));
}

/** Shorter ones are times, amounts and house numbers, which agents rightly answer with others. */
const LONG_VALUE = 5;
const CALLER_TURNS_BACK = 8;

/** A code of the agent that is nearly one of the caller's and that nobody said and nothing holds. */
function unlikeCode(reading: CallReading, turn: SpokenTurn, apart: number): Pair | null {
  const read = turn.values.filter((value) => isLong(value));
  if (read.length === 0) return null;
  const end = firstFrom(reading.caller, turn.index);
  const before = reading.caller.slice(Math.max(0, end - CALLER_TURNS_BACK), end);
  const given = before.flatMap(({ index, values }) => values.filter(isCode).map((value) => ({ index, value })));
  const confirmed = isConfirmed(reading, turn);
  for (const value of read) {
    const form = formOf(value);
    if (given.some(({ value: one }) => holdEachOther(one, value)) || isLookedUp(reading, turn.index, form)) continue;
    const near = given.findLast(({ value: one }) => isLong(one) && isNear(formOf(one), form, apart));
    if (
      near === undefined ||
      isPutRightSince(reading, near.index, turn) ||
      (confirmed && !isShuffled(formOf(near.value), form))
    )
      continue;
    return { given: near.value.text, givenAt: near.index, read: value.text };
  }
  return null;
}

/** "No, the last one is a letter": what the caller says since then may be what is read back now. */
function isPutRightSince(reading: CallReading, given: number, turn: SpokenTurn): boolean {
  return reading.caller.some(
    (one) => one.index > given && one.index < turn.index && does(one, 'denies') && does(one, 'gives', 'corrects'),
  );
}

function isCode(value: ActValue): boolean {
  return value.slot === 'code' && !value.denied;
}

function isLong(value: ActValue): boolean {
  return isCode(value) && formOf(value).length >= LONG_VALUE;
}

/** Digits one after the other, and capitals. */
function formOf(value: ActValue): string {
  return value.forms.at(-1) ?? '';
}

/** The end of it, or a part, is an honest short form. */
function holdEachOther(a: ActValue, b: ActValue): boolean {
  return a.forms.some((one) => b.forms.some((two) => one.includes(two) || two.includes(one)));
}

function isNear(given: string, read: string, apart: number): boolean {
  if (isNearCode(given, read)) return true;
  const most = Math.min(apart, Math.floor(Math.min(given.length, read.length) / LOST_ONE_IN));
  return given.length !== read.length && editDistance(given, read, most) <= most;
}

/** One figure in so many may be lost or doubled. */
const LOST_ONE_IN = 6;

/** A name that the caller has just spelled, spelled back with other letters. */
function unlikeSpelling(reading: CallReading, turn: SpokenTurn): Pair | null {
  const before = reading.spoken[turn.order - 1];
  if (before?.role !== 'caller' || isConfirmed(reading, turn)) return null;
  const given = before.values.filter(({ kind }) => kind === 'spelling');
  for (const read of turn.values.filter(({ kind }) => kind === 'spelling')) {
    const heard = formOf(read);
    if (given.some((one) => formOf(one).includes(heard) || heard.includes(formOf(one)))) continue;
    const near = given.find((one) => isNearSpelling(formOf(one), heard));
    if (near !== undefined) return { given: near.text, givenAt: before.index, read: read.text };
  }
  return null;
}

/** It begins alike, and of a short name one letter is another, of a longer one two. */
function isNearSpelling(given: string, read: string): boolean {
  if (given.length < SPELLED_AT_LEAST || read.length < SPELLED_AT_LEAST || given.charAt(0) !== read.charAt(0))
    return false;
  const most = given.length < LONG_SPELLING ? 1 : 2;
  return editDistance(given, read, most) <= most;
}

const SPELLED_AT_LEAST = 4;
const LONG_SPELLING = 6;

function unlikeEmail(reading: CallReading, turn: SpokenTurn): Pair | null {
  const before = reading.spoken[turn.order - 1];
  if (before?.role !== 'caller' || isConfirmed(reading, turn)) return null;
  const [given, ...more] = emailsOf(before);
  const [read, ...others] = emailsOf(turn);
  if (given === undefined || read === undefined || more.length + others.length > 0 || given.form === read.form)
    return null;
  const most = Math.min(EMAIL_APART, Math.floor(Math.max(given.form.length, read.form.length) / 3));
  if (editDistance(given.form, read.form, most) > most) return null;
  return { given: given.text, givenAt: before.index, read: read.text };
}

const EMAIL_APART = 3;

function emailsOf({ values }: SpokenTurn): { text: string; form: string }[] {
  return values.flatMap((value) => (value.kind === 'email' ? [{ text: value.text, form: formOf(value) }] : []));
}

/** A result that holds the value gave it: then nothing was read back. */
function isLookedUp(reading: CallReading, turn: number, value: string): boolean {
  return reading.tools.some(
    (use) =>
      use.resultTurn !== null &&
      use.resultTurn < turn &&
      resultLeaves(use).some((leaf) =>
        String(leaf.value)
          .toUpperCase()
          .replace(/[^A-Z0-9@.]/g, '')
          .includes(value.toUpperCase()),
      ),
  );
}
