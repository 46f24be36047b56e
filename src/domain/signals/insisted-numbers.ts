import { isExplicit } from '../acts/last-words.ts';
import type { SpokenTurn } from '../acts/spoken-turn.ts';
import type { ActValue } from '../values/value.ts';
import { placeAt } from './places.ts';
import type { CallReading } from './reading.ts';
import type { Detection } from './signal.ts';

/** A number that the caller has just denied, or answered with another one after a no, is the agent's very next number again. */
export function insistedNumbers(reading: CallReading): Detection[] {
  return reading.caller.flatMap((turn) => {
    const next = reading.spoken[turn.order + 1];
    if (next?.role !== 'agent' || turn.values.length === 0 || next.values.length === 0) return [];
    const given = numbersOf(turn).filter((value) => !value.denied);
    if (given.length === 0) return [];
    const heard = reading.spoken[turn.order - 1];
    const kept = numbersOf(next).find(
      (value) => !value.denied && !isAmong(value, given) && isRefused(turn, heard, value),
    );
    if (kept === undefined || numbersOf(next).some((value) => isAmong(value, given))) return [];
    return [
      {
        turnIndex: next.index,
        quote: kept.text,
        detail: `The caller says at turn ${turn.index} that "${kept.text}" is wrong; here the agent says it again.`,
        place: placeAt(reading, next.index),
        confidence: 0.8,
      },
    ];
  });
}

/** Said not to be it, or the whole number that the agent had just said and the caller answered with a no and another one. */
function isRefused(turn: SpokenTurn, heard: SpokenTurn | undefined, value: ActValue): boolean {
  const denied = numbersOf(turn).filter((one) => one.denied);
  if (isAmong(value, denied)) return true;
  if (heard?.role !== 'agent' || !isAmong(value, numbersOf(heard))) return false;
  return denied.length > 0 || (isExplicit(turn) && (value.forms.at(-1) ?? '').length >= LONG);
}

/** Shorter numbers may count another thing. */
const LONG = 3;

function numbersOf(turn: SpokenTurn): readonly ActValue[] {
  return turn.values.filter(({ kind, slot }) => kind === 'number' || slot === 'code');
}

function isAmong(value: ActValue, others: readonly ActValue[]): boolean {
  return others.some((one) => one.forms.some((form) => value.forms.includes(form)));
}
