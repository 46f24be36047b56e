import { timesOfHour } from '../values/bare-times.ts';
import { apart } from '../values/near-code.ts';
import { compare } from '../values/same-value.ts';
import type { ActValue } from '../values/value.ts';
import type { SpokenTurn } from './spoken-turn.ts';

/** Two values that can replace each other, in one slot. */
export interface Alike {
  old: ActValue;
  now: ActValue;
}

/** How near to each other two values were said: far apart, a bare number may count anything. */
export type Nearness = 'one turn' | 'earlier, clearly' | 'earlier';

/** Brings two values into one slot; `same` where they are equal, null where one cannot replace the other. */
export function asOneKind(
  oldTurn: SpokenTurn,
  old: ActValue,
  nowTurn: SpokenTurn,
  now: ActValue,
  nearness: Nearness,
): Alike | 'same' | null {
  if (isBare(old) || isBare(now))
    return asOneCount({ turn: oldTurn, value: old }, { turn: nowTurn, value: now }, nearness);
  if (old.slot !== now.slot || old.slot === 'money') return null;
  if (old.slot === 'code' && nearness !== 'one turn' && !areNearCodes(old, now)) return null;
  if (old.kind === 'choice' && areOfTwoThings({ turn: oldTurn, value: old }, { turn: nowTurn, value: now }))
    return null;
  const relation = compare(old, now);
  return relation === 'other' ? { old, now } : relation === 'same' ? 'same' : null;
}

function isBare({ slot }: ActValue): boolean {
  return slot === 'count';
}

interface Said {
  /** Null where only the value is known, and nothing of the words around it. */
  turn: SpokenTurn | null;
  value: ActValue;
}

/** "A small coffee", "a large tea". */
function areOfTwoThings(old: Said, now: Said): boolean {
  const [before, after] = [thingBehind(old), thingBehind(now)];
  return before !== null && after !== null && before !== after;
}

/** Numbers without a unit: an hour beside a time, a count beside another one of the same thing. */
function asOneCount(old: Said, now: Said, nearness: Nearness): Alike | 'same' | null {
  const [before, after] = [thingBehind(old), thingBehind(now)];
  if (old.value.slot === 'time' || now.value.slot === 'time') {
    const bare = isBare(old.value) ? before : after;
    return bare === null && nearness !== 'earlier' ? asTimes(old.value, now.value) : null;
  }
  if (!isCount(old.value) || !isCount(now.value)) return null;
  if (areOfTwoThings(old, now)) return null;
  if (nearness === 'earlier' && (before === null || before !== after)) return null;
  if (nearness === 'earlier, clearly' && before !== after && !isCounted(old.value)) return null;
  const slot = isBare(now.value) ? old.value.slot : now.value.slot;
  const alike = { old: { ...old.value, slot }, now: { ...now.value, slot } };
  return compare(alike.old, alike.now) === 'same' ? 'same' : alike;
}

function isCount({ slot }: ActValue): boolean {
  return slot === 'count' || isCounted({ slot });
}

function isCounted({ slot }: Pick<ActValue, 'slot'>): boolean {
  return slot.startsWith('count:') && slot !== 'count:money';
}

/** "Two o'clock, no, three". */
function asTimes(old: ActValue, now: ActValue): Alike | 'same' | null {
  const [one, two] = [asTime(old), asTime(now)];
  if (one === null || two === null) return null;
  return compare(one, two) === 'same' ? 'same' : { old: one, now: two };
}

function asTime(value: ActValue): ActValue | null {
  if (value.slot === 'time') return value;
  const forms = timesOfHour(Number(value.forms[0]));
  return forms === null ? null : { ...value, kind: 'time', slot: 'time', forms };
}

/** True where a value in a turn is the wanted one: as such, or as a number by itself that can be nothing else. */
export function isSaidIn(turn: SpokenTurn, value: ActValue, wanted: ActValue): boolean {
  if (value.denied) return false;
  if (compare(value, wanted) === 'same') return true;
  // "Eighty", asked for an amount, and "eighty euros".
  if (value.kind === 'money' && isBare(wanted)) return value.forms.some((form) => wanted.forms.includes(form));
  if (value.slot === wanted.slot || !(isBare(value) || isBare(wanted))) return false;
  return asOneCount({ turn, value }, { turn: null, value: wanted }, 'one turn') === 'same';
}

/** What a number counts, as the word behind it says; null where none follows at once. */
function thingBehind({ turn, value }: Said): string | null {
  if (isCounted(value)) return value.slot.slice('count:'.length);
  if (turn === null) return null;
  const at = turn.starts.findIndex((start) => start >= value.to);
  if (at < 0 || (turn.bits[at] ?? 0) !== 0 || /\S/.test(turn.turn.text.slice(value.to, turn.starts[at]))) return null;
  return (turn.words[at] ?? '').replace(/e?s$|e$/, '');
}

/** Two codes that share little are two codes. */
export function areNearCodes(old: ActValue, now: ActValue): boolean {
  const [a, b] = [old.forms.at(-1) ?? '', now.forms.at(-1) ?? ''];
  return a.length === b.length && apart(a, b) <= Math.max(1, a.length / 3);
}
