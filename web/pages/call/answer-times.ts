import type { Schemas } from '../../client/api.ts';

type Turn = Schemas['Turn'];

/** How long a caller waited for an answer, and how much of it a tool took. */
export interface AnswerTime {
  waitedMs: number;
  toolMs: number;
}

/** By the turn of the answer, from the times of turns; what lacks them has none. */
export function answerTimes(turns: Turn[]): Map<number, AnswerTime> {
  const times = new Map<number, AnswerTime>();
  let asked: number | null = null;
  let toolMs = 0;
  for (const { index, role, text, startMs, endMs, toolResult } of turns) {
    if (toolResult) toolMs += toolResult.latencyMs ?? 0;
    if (text === '') continue;
    if (role === 'agent' && asked !== null && startMs !== null) {
      times.set(index, { waitedMs: Math.max(0, startMs - asked), toolMs });
      asked = null;
    }
    if (role === 'caller') asked = endMs;
    toolMs = 0;
  }
  return times;
}
