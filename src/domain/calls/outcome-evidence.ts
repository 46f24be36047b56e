import type { ClaimReading } from './claims.ts';
import type { CallBase } from './read-turns.ts';
import { isRequest } from './requests.ts';
import { type SpokenTurn, says } from './spoken-turn.ts';
import type { ToolUse } from './tool-uses.ts';

/** What the outcome rules look at, each as the turn where it last stood, or null. */
export interface Evidence {
  success: number | null;
  refusal: number | null;
  failure: number | null;
  answer: number | null;
  request: number | null;
  accepted: number | null;
  callerClosed: number | null;
  agentClosed: number | null;
  gaveUp: number | null;
  brokenClaim: number | null;
  transfer: ToolUse | null;
  callerLast: boolean;
  agentAskedLast: boolean;
}

export function gatherEvidence(reading: CallBase, claims: readonly ClaimReading[]): Evidence {
  const evidence: Evidence = {
    success: null,
    refusal: null,
    failure: null,
    answer: null,
    request: null,
    accepted: null,
    callerClosed: null,
    agentClosed: null,
    gaveUp: null,
    brokenClaim: null,
    transfer: null,
    callerLast: reading.spoken.at(-1)?.role === 'caller',
    agentAskedLast: reading.agent.at(-1)?.asks === true,
  };
  for (const use of reading.tools) {
    const turn = use.resultTurn ?? use.callTurn ?? 0;
    if (use.effect === 'transfer') evidence.transfer = use;
    else if (use.ok === false) evidence.failure = latest(evidence.failure, turn);
    else if (use.refusal) evidence.refusal = use.blocked ? latest(evidence.refusal, turn) : evidence.refusal;
    else if (use.effect === 'write' && !isOffered(reading, turn)) evidence.success = latest(evidence.success, turn);
    else evidence.answer = latest(evidence.answer, turn);
  }
  for (const claim of claims) {
    if (claim.verdict === 'backed') evidence.success = latest(evidence.success, claim.turn);
    else evidence.brokenClaim = latest(evidence.brokenClaim, claim.turn);
  }
  for (const turn of reading.caller) {
    if (isRequest(turn)) evidence.request = turn.index;
    if (says(turn, 'thanks') || says(turn, 'accepts') || says(turn, 'no_more')) evidence.accepted = turn.index;
  }
  for (const turn of reading.agent) {
    if (says(turn, 'refuses')) evidence.refusal = latest(evidence.refusal, turn.index);
    if (answersInWords(reading, turn)) evidence.answer = latest(evidence.answer, turn.index);
  }
  for (const turn of reading.caller.slice(-2)) if (says(turn, 'gives_up')) evidence.gaveUp = turn.index;
  for (const turn of reading.caller.slice(-2)) if (closes(turn)) evidence.callerClosed = turn.index;
  for (const turn of reading.agent.slice(-2)) if (says(turn, 'closing')) evidence.agentClosed = turn.index;
  return evidence;
}

/** A tool that books by name may only have looked: then the agent asks next whether it should do it. */
function isOffered(reading: CallBase, resultTurn: number): boolean {
  for (let turn = resultTurn + 1; turn <= resultTurn + SOON; turn += 1) {
    const spoken = reading.spokenAt.get(turn);
    if (spoken !== undefined) return spoken.role === 'agent' && spoken.asks && says(spoken, 'offers_action');
  }
  return false;
}

const SOON = 4;

function closes(turn: SpokenTurn): boolean {
  return says(turn, 'goodbye') || says(turn, 'no_more') || says(turn, 'thanks');
}

const WORDS_OF_AN_ANSWER = 6;
/** Longer replies go on with the matter: "thanks, I will look for it and call again". */
const WORDS_OF_THANKS = 10;

/**
 * The caller asked, the agent told them, and the caller was content with it. Only on calls without tools: where tools do
 * the work, their results decide.
 */
function answersInWords(reading: CallBase, turn: SpokenTurn): boolean {
  if (reading.tools.length > 0) return false;
  const before = reading.spoken[turn.order - 1];
  const after = reading.spoken[turn.order + 1];
  if (before?.role !== 'caller' || after?.role !== 'caller') return false;
  if (!before.asks && !isRequest(before)) return false;
  if (turn.asks || turn.words.length < WORDS_OF_AN_ANSWER || says(turn, 'refuses') || says(turn, 'filler'))
    return false;
  return !after.asks && after.words.length <= WORDS_OF_THANKS && (says(after, 'accepts') || says(after, 'thanks'));
}

export function isStatement(turn: SpokenTurn): boolean {
  return !turn.asks || says(turn, 'offers_more');
}

export function isAfter(a: number | null, b: number | null): boolean {
  return a !== null && (b === null || a >= b);
}

export function latest(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : Math.max(a, b);
}
