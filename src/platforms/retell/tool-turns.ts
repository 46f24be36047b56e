import type { ToolResult, Transition, Turn } from '../../domain/calls/call.ts';
import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import type { JsonObject } from '../../domain/json.ts';
import { embeddedJson, emptyTurn, milliseconds } from './entry.ts';

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
const ENDS_THE_CALL = /(^|_)(end_?call|hang_?up|transfer|agent_swap)(_|$)|^transition_to_/i;

/**
 * The platform's flag says only whether the request was answered: `false` is a failure, `true` still needs a look at
 * the body, which may hold an error.
 */
export function readToolResult(entry: JsonObject, id: string | null, call: OpenCall | null): ToolResult {
  const body = embeddedJson(entry.content);
  const answeredAtMs = milliseconds(entry.time_sec);
  const calledAtMs = call?.atMs ?? null;
  const latencyMs = calledAtMs === null || answeredAtMs === null ? null : answeredAtMs - calledAtMs;
  const common = {
    id,
    name: call?.name ?? null,
    body,
    latencyMs: latencyMs !== null && latencyMs >= 0 ? latencyMs : null,
  };
  if (entry.successful === false) return { ...common, ok: false, okSource: 'flag' };
  const { ok } = judgeToolBody(body);
  if (ok !== null) return { ...common, ok, okSource: 'body' };
  return entry.successful === true
    ? { ...common, ok: true, okSource: 'flag' }
    : { ...common, ok: null, okSource: 'unknown' };
}

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
