import type { NormalisedCall, Turn } from '../calls/call.ts';
import type { HeardCall } from './heard-call.ts';
import type { Span } from './speech.ts';

/** How far a platform's times may lie beside what is heard. */
const BESIDE_MS = 700;
/** Of the turns of a call, those that must be found in its recording for it to be the recording of this call. */
const FOUND_SHARE = 0.7;

/** The call with the times of its turns as they were heard, and with what else the recording shows. */
export function withHeard(call: NormalisedCall, heard: HeardCall | null): NormalisedCall {
  if (heard === null) return call;
  const turns = heardTurns(call.turns, heard);
  if (turns === null) return { ...call, heard };
  const isWhole = turns.every((turn) => !isSpoken(turn) || (turn.startMs !== null && turn.endMs !== null));
  return { ...call, heard, turns, timing: isWhole ? 'exact' : call.timing };
}

/** @returns null where sides can't be told, or where too few of the turns are heard. */
function heardTurns(turns: readonly Turn[], { sides, talk, lagMs }: HeardCall): Turn[] | null {
  if (sides === null || talk === null || lagMs === null) return null;
  const found = new Map<number, Span>();
  for (const role of ['caller', 'agent'] as const) {
    const said = turns.filter((turn) => turn.role === role && isSpoken(turn) && turn.startMs !== null);
    for (const [index, span] of assign(said, sides[role].spans, lagMs)) found.set(index, span);
  }
  const spoken = turns.filter(isSpoken);
  if (found.size < spoken.length * FOUND_SHARE) return null;
  return turns.map((turn) => {
    const span = found.get(turn.index);
    // The clock of the record stays the one that everything else of the call is told by.
    return span === undefined
      ? turn
      : { ...turn, startMs: Math.max(0, span.startMs - lagMs), endMs: Math.max(0, span.endMs - lagMs) };
  });
}

const isSpoken = ({ role, text, wordsMissing }: Turn): boolean =>
  (role === 'caller' || role === 'agent') && (text !== '' || wordsMissing === true);

/** Each stretch of speech goes to the turn that it meets most; turns and stretches are in order. */
function assign(said: readonly Turn[], spans: readonly Span[], lagMs: number): Map<number, Span> {
  const found = new Map<number, Span>();
  let from = 0;
  for (const span of spans) {
    let best: { turn: Turn; meets: number } | null = null;
    for (let at = from; at < said.length; at += 1) {
      const turn = said[at];
      if (turn?.startMs == null) continue;
      const start = turn.startMs + lagMs - BESIDE_MS;
      const end = (turn.endMs ?? turn.startMs) + lagMs + BESIDE_MS;
      if (start >= span.endMs) break;
      if (end <= span.startMs) {
        if (best === null && at === from) from = at + 1;
        continue;
      }
      const meets = Math.min(end, span.endMs) - Math.max(start, span.startMs);
      if (best === null || meets > best.meets) best = { turn, meets };
    }
    if (best === null) continue;
    const before = found.get(best.turn.index);
    found.set(best.turn.index, before === undefined ? { ...span } : { startMs: before.startMs, endMs: span.endMs });
  }
  return found;
}
