import type { Turn } from '../domain/calls/call.ts';
import type { Timing } from '../domain/vocabulary.ts';

const INTERRUPTED_BY_MS = 150;
const BACKWARDS_TOLERANCE_MS = 2_000;
/** How far speech may lie behind the end of the call before its times can't be right. */
const BEYOND_END_TOLERANCE_MS = 60_000;

const isSpoken = (turn: Turn) => turn.role === 'caller' || turn.role === 'agent';

const SHARE_TIMED = 0.5;

/**
 * How far the turns' times can be trusted: exact where spoken turns have a sane start and end in order, but for some that
 * have not, which cost their own times alone; approx where most have none, or all fall on whole seconds.
 */
export function judgeTiming(turns: readonly Turn[]): Timing {
  const spoken = turns.filter((turn) => isSpoken(turn) && turn.toolCall === null);
  if (spoken.every((turn) => turn.startMs === null)) return 'none';
  if (spoken.some(({ startMs, endMs }) => startMs !== null && endMs !== null && endMs < startMs)) return 'approx';
  const timed = spoken.filter(({ startMs, endMs }) => startMs !== null && endMs !== null);
  if (timed.length <= spoken.length * SHARE_TIMED) return 'approx';
  let lastStartMs = 0;
  for (const { startMs } of timed) {
    if (startMs === null || startMs < lastStartMs - BACKWARDS_TOLERANCE_MS) return 'approx';
    lastStartMs = Math.max(lastStartMs, startMs);
  }
  const wholeSeconds = timed.every((turn) => (turn.startMs ?? 0) % 1000 === 0 && (turn.endMs ?? 0) % 1000 === 0);
  return wholeSeconds && timed.length > 2 ? 'approx' : 'exact';
}

/** Takes all times away where they run far beyond the end of the call: their unit is not what it claims. */
export function dropImpossibleTimes(turns: Turn[], durationMs: number, warnings: string[]): void {
  if (durationMs <= 0) return;
  const lastMs = turns.reduce((latest, turn) => Math.max(latest, turn.endMs ?? turn.startMs ?? 0), 0);
  if (lastMs <= durationMs + BEYOND_END_TOLERANCE_MS) return;
  warnings.push(`Turn times run to ${lastMs} ms in a call of ${durationMs} ms and were left out.`);
  for (const turn of turns) {
    turn.startMs = null;
    turn.endMs = null;
    turn.words = null;
  }
}

/** An agent turn was cut off when the caller's next turn begins clearly before its end. */
export function markInterruptions(turns: Turn[]): void {
  let callerStartMs: number | null = null;
  for (let at = turns.length - 1; at >= 0; at -= 1) {
    const turn = turns[at];
    if (!turn) continue;
    if (turn.role === 'caller') callerStartMs = turn.startMs;
    else if (turn.role === 'agent' && turn.endMs !== null && callerStartMs !== null) {
      if (callerStartMs < turn.endMs - INTERRUPTED_BY_MS) turn.interrupted = true;
    }
  }
}
