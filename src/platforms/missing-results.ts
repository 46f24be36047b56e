import type { Transition, Turn } from '../domain/calls/call.ts';
import { emptyTurn } from './turn-parts.ts';

/** A tool call that no result has come for yet. */
export interface OpenCall {
  name: string;
  id: string | null;
  turnIndex: number;
  atMs: number | null;
}

/** A tool that was started in the last seconds of a call had no chance to answer: nothing follows from its silence. */
const TIME_TO_ANSWER_MS = 5_000;

/** Tools that end the call or hand it over: what happens to the call is their result. */
const ENDS_THE_CALL =
  /(^|_)(end_?call|hang_?up|transfer|agent_swap|handoff)(_|$)|^transition_to_|^(endCall|transferCall)$/i;

/**
 * A call that is over and still lacks a tool's answer gets a failed result right after the tool call, so that a tool
 * that never answers is seen like one that answers with an error.
 */
export function addMissingResults(
  turns: Turn[],
  transitions: Transition[],
  openCalls: Iterable<OpenCall>,
  durationMs: number,
): void {
  const missing = [...openCalls].filter(({ name }) => !ENDS_THE_CALL.test(name));
  // From the last to the first, so that the positions of those still to be inserted stay true.
  for (const call of missing.toSorted((a, b) => b.turnIndex - a.turnIndex)) {
    const at = call.turnIndex + 1;
    const hadNoTime = turns.length === at && call.atMs !== null && durationMs - call.atMs < TIME_TO_ANSWER_MS;
    const turn = emptyTurn(at, 'tool', turns[call.turnIndex]?.nodeId ?? null);
    turn.toolResult = {
      id: call.id,
      name: call.name,
      ok: hadNoTime ? null : false,
      okSource: 'missing',
      body: null,
      latencyMs: null,
    };
    turns.splice(at, 0, turn);
    for (const transition of transitions) if (transition.atTurn >= at) transition.atTurn += 1;
  }
  for (const [index, turn] of turns.entries()) turn.index = index;
}
