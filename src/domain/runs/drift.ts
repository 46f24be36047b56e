import type { Turn } from '../calls/call.ts';
import type { TestSpec } from '../tests/spec.ts';
import { readValues } from '../values/read-values.ts';
import { type SpokenValue, sameValue, type ValueKind } from '../values/value.ts';
import type { CallerDrift, PlayedCall } from './attempt.ts';
import { scriptOf } from './caller.ts';
import { wordedNote } from './said-in-manner.ts';

const GOAL_WORDS_AT_LEAST = 3;
/** Shorter numbers are counts and hours, which a caller may say freely. */
const NUMBER_DIGITS_AT_LEAST = 4;
/** Words that say nothing of what somebody wants. */
const EMPTY_WORDS = new Set(
  'about after again also another because before could does ends from have hear into just like make more need only other please should some tell than that their them then there they this wants want what when where which will with would your caller agent call calls calling asks'.split(
    ' ',
  ),
);

/**
 * Whether the simulated caller kept to its facts and its goal, told by code from what it said. What it took over from
 * the agent is no contradiction, and a slip that it corrects itself is none either.
 * @returns null where the test gives nothing to compare with.
 */
export function callerDrift(
  { caller }: TestSpec,
  turns: readonly Turn[],
  played: { scripted: boolean; worded?: boolean; endedBy?: PlayedCall['endedBy'] },
): CallerDrift | null {
  const facts = Object.entries(caller.facts);
  if (facts.length === 0 && caller.goal.trim() === '') return null;
  if (played.scripted) {
    const said = turns.flatMap(({ role, text }) => (role === 'caller' ? [text] : []));
    const notes = played.worded ? wordedNote(scriptOf(caller) ?? [], said) : 'The caller said the lines of its script.';
    return { drifted: false, reasons: [], notes };
  }
  const own = [caller.goal, caller.opening, caller.style].join('\n');
  const { reasons, corrected } = contradictions(facts, own, turns);
  const wrongName = namesOthers(facts, own, turns);
  const all = [
    ...reasons,
    ...wrongName,
    ...missesGoal(caller.goal, turns),
    ...leftEarly(turns, played.endedBy ?? null),
  ];
  const notes = corrected.length === 0 ? null : `It corrected itself: ${corrected.join('; ')}.`;
  return { drifted: all.length > 0, reasons: all, notes };
}

type Facts = [name: string, value: string][];

/** Values of kinds that the facts cover, said by the caller first and with another meaning. */
function contradictions(facts: Facts, own: string, turns: readonly Turn[]): { reasons: string[]; corrected: string[] } {
  const told = facts.flatMap(([, value]) => readValues(value));
  const digits = facts.map(([, value]) => digitsOf(value));
  const known = [...told, ...readValues(own)];
  const found: { value: SpokenValue; text: string; turn: number }[] = [];
  const corrected: string[] = [];
  for (const turn of turns) {
    if (turn.role === 'agent') known.push(...readValues(turn.text));
    if (turn.role !== 'caller') continue;
    for (const value of readValues(turn.text)) {
      if (!isCovered(value, told)) continue;
      if (known.some((one) => sameValue(one, value)) || isPart(value, digits)) {
        corrected.push(...found.filter((one) => isAlike(one.value, value)).map(({ text }) => `"${text}"`));
        removeAlike(found, value);
        continue;
      }
      found.push({ value, text: turn.text.slice(value.from, value.to), turn: turn.index });
    }
  }
  const reasons = found.map(
    ({ value, text, turn }) => `In turn ${turn} it said "${text}", a ${NOUNS[value.kind]} that its facts don't have.`,
  );
  return { reasons, corrected };
}

const NOUNS: Record<ValueKind, string> = {
  money: 'sum of money',
  date: 'date',
  time: 'time',
  code: 'code',
  number: 'number',
};

/** The facts have a value of the same nature: a whole date says nothing about which weekday somebody may name. */
function isCovered(value: SpokenValue, told: readonly SpokenValue[]): boolean {
  if (value.kind === 'number' && !value.forms.some((form) => form.length >= NUMBER_DIGITS_AT_LEAST)) return false;
  return told.some((one) => isAlike(one, value));
}

const isAlike = (a: SpokenValue, b: SpokenValue) => a.kind === b.kind && natureOf(a) === natureOf(b);

function natureOf({ kind, forms }: SpokenValue): string {
  const [form = ''] = forms;
  if (kind === 'date') return form.startsWith('weekday') ? 'weekday' : form.length > 5 ? 'whole' : 'day of a year';
  if (kind === 'number') return forms.some((one) => digitsOf(one).length >= NUMBER_DIGITS_AT_LEAST) ? 'long' : 'short';
  return kind;
}

/** A long number is often said in pieces. */
function isPart({ kind, forms }: SpokenValue, digits: readonly string[]): boolean {
  if (kind !== 'number' && kind !== 'code') return false;
  return forms.some((form) => digits.some((whole) => whole.includes(digitsOf(form))));
}

const digitsOf = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

function removeAlike(found: { value: SpokenValue }[], value: SpokenValue): void {
  for (const [at, one] of [...found.entries()].reverse()) if (isAlike(one.value, value)) found.splice(at, 1);
}

/** Of somebody who says who they are; without the word name it takes a first name and a surname. */
const INTRODUCTIONS = [
  /\b[Mm]y (?:full |first |last )?name(?: is|'s|’s)\s+((?:\p{Lu}[\p{L}'’-]*\s*){1,4})/u,
  /\b(?:I['’]m|I am|[Tt]his is)\s+((?:\p{Lu}[\p{L}'’-]*\s*){2,4})/u,
];

/** An introduction with a name that no fact holds any part of. */
function namesOthers(facts: Facts, own: string, turns: readonly Turn[]): string[] {
  const names = facts.filter(([name]) => /name/i.test(name)).map(([, value]) => value);
  if (names.length === 0) return [];
  const known = new Set(wordsOf([...names, own].join(' ')));
  return turns.flatMap(({ role, text, index }) => {
    if (role !== 'caller') return [];
    const said = INTRODUCTIONS.flatMap((introduction) => introduction.exec(text)?.[1]?.trim() ?? []);
    const foreign = said.filter((name) => !wordsOf(name).some((word) => known.has(word)));
    return foreign.map((name) => `In turn ${index} it gave the name ${name}, which its facts don't have.`);
  });
}

function missesGoal(goal: string, turns: readonly Turn[]): string[] {
  const wanted = stemsOf(goal);
  if (wanted.length < GOAL_WORDS_AT_LEAST) return [];
  const said = new Set(turns.filter(({ role }) => role === 'caller').flatMap(({ text }) => stemsOf(text)));
  return wanted.some((word) => said.has(word)) ? [] : [`It never said what it wanted: ${goal.trim().slice(0, 200)}`];
}

/** It hung up on the agent's first question, before it had told anything but its opening. */
function leftEarly(turns: readonly Turn[], endedBy: PlayedCall['endedBy']): string[] {
  if (endedBy !== 'caller') return [];
  const spoken = turns.filter(({ role, text }) => role === 'caller' && text.trim() !== '');
  const lastOfAgent = turns.findLast(({ role, text }) => role === 'agent' && text.trim() !== '');
  const asked = lastOfAgent?.text.trim().endsWith('?') === true && lastOfAgent.index > (spoken[0]?.index ?? 0);
  return spoken.length <= 2 && asked ? ["It hung up on the agent's first question."] : [];
}

const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}{2,}/gu) ?? [];

/** Words that carry a meaning, cut so that forms of one word are alike. */
const stemsOf = (text: string) => [
  ...new Set(
    wordsOf(text)
      .filter((word) => word.length > 3 && !EMPTY_WORDS.has(word))
      .map((word) => word.slice(0, 5)),
  ),
];
