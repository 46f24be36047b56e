import type { SpokenTurn } from '../calls/spoken-turn.ts';
import type { ActValue, Correction } from './act.ts';

/** "No, six at the end, zero three six": the part that was wrong is said, and the rest of the code stands. */
export function correctedCode(turn: SpokenTurn, heard: SpokenTurn): Correction | null {
  const codes = heard.values.filter((value) => value.slot === 'code');
  const [old] = codes;
  if (old === undefined || codes.length > 1) return null;
  const whole = old.forms.at(-1) ?? '';
  for (const value of turn.values.toReversed()) {
    if (value.denied || (value.slot !== 'code' && value.slot !== 'count')) continue;
    const part = value.forms.at(-1) ?? '';
    if (part.length < PART_AT_LEAST || part.length >= whole.length || whole.includes(part)) continue;
    const end = whole.slice(-part.length);
    if (apart(end, part) > (part.length * 2) / 3 && !isShuffled(end, part)) continue;
    const now: ActValue = { ...value, kind: old.kind, slot: 'code', forms: [whole.slice(0, -part.length) + part] };
    return { turn: turn.index, slot: 'code', old, oldBy: 'agent', oldTurn: heard.index, now, explicit: true };
  }
  return null;
}

const PART_AT_LEAST = 2;

function apart(a: string, b: string): number {
  let count = 0;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) count += 1;
  return count;
}

/** The same figures in another order: "four nine" for "nine four". */
function isShuffled(a: string, b: string): boolean {
  return [...a].sort().join('') === [...b].sort().join('');
}
