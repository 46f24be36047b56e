import { type SpokenTurn, says } from '../acts/spoken-turn.ts';
import type { CallBase } from './call-base.ts';
import type { ClaimReading } from './claims.ts';
import { refuses } from './outcome-refusal.ts';
import { givesUp, refusedBesides, wants } from './outcome-standing.ts';
import { isRequest } from './requests.ts';
import { type ToolUse, worked } from './tool-uses.ts';
import { roleOfUse } from './use-roles.ts';

/** What the outcome rules look at, each as the turn where it last stood, or null. */
export interface Evidence {
  success: number | null;
  refusal: number | null;
  failure: number | null;
  /** Somebody will call: the matter was handed on, not met. */
  relayed: number | null;
  answer: number | null;
  request: number | null;
  accepted: number | null;
  callerClosed: number | null;
  agentClosed: number | null;
  gaveUp: number | null;
  brokenClaim: number | null;
  /** Turn in which the caller decides to leave things as they are. */
  withdrawn: number | null;
  transfer: ToolUse | null;
  callerLast: boolean;
  agentAskedLast: boolean;
}

export function gatherEvidence(reading: CallBase, claims: readonly ClaimReading[]): Evidence {
  const evidence: Evidence = {
    success: null,
    refusal: null,
    failure: null,
    relayed: null,
    answer: null,
    request: null,
    accepted: null,
    callerClosed: null,
    agentClosed: null,
    gaveUp: null,
    brokenClaim: null,
    withdrawn: null,
    transfer: null,
    callerLast: reading.spoken.at(-1)?.role === 'caller',
    agentAskedLast: reading.agent.at(-1)?.asks === true,
  };
  for (const use of reading.tools) {
    const turn = use.resultTurn ?? use.callTurn ?? 0;
    const role = use.effect === 'transfer' ? 'main' : roleOfUse(reading, use);
    if (use.effect === 'transfer') {
      evidence.transfer = use;
      if (use.ok === false) evidence.failure = latest(evidence.failure, turn);
    } else if (role === 'relay') {
      if (worked(use)) evidence.relayed = latest(evidence.relayed, turn);
    } else if (role === 'extra') continue;
    else if (use.denied) evidence.refusal = use.blocked ? latest(evidence.refusal, turn) : evidence.refusal;
    else if (use.ok === false) evidence.failure = latest(evidence.failure, turn);
    else if (use.refusal) evidence.refusal = use.blocked ? latest(evidence.refusal, turn) : evidence.refusal;
    else if (use.ok === null || use.effect === 'keys') continue;
    else if (use.effect === 'write' && !isOffered(reading, turn)) evidence.success = latest(evidence.success, turn);
    else evidence.answer = latest(evidence.answer, turn);
  }
  for (const claim of claims) {
    if (claim.use !== null && roleOfUse(reading, claim.use) === 'extra') continue;
    if (claim.verdict === 'backed') evidence.success = latest(evidence.success, claim.turn);
    else evidence.brokenClaim = latest(evidence.brokenClaim, claim.turn);
  }
  for (const turn of reading.caller) {
    if (isRequest(turn)) evidence.request = turn.index;
    if (says(turn, 'thanks') || says(turn, 'accepts') || says(turn, 'no_more')) evidence.accepted = turn.index;
  }
  const besides = refusedBesides(reading);
  for (const turn of reading.agent) {
    if (refuses(turn) && !besides.has(turn.index)) evidence.refusal = latest(evidence.refusal, turn.index);
  }
  for (const turn of reading.caller.slice(-2))
    if (givesUp(reading, turn) && !goesPleased(turn) && !isAnsweredAfter(reading, turn)) evidence.gaveUp = turn.index;
  for (const turn of reading.caller.slice(-2)) if (says(turn, 'leaves_as_is')) evidence.withdrawn = turn.index;
  for (const turn of reading.caller.slice(-2)) if (closes(turn)) evidence.callerClosed = turn.index;
  for (const turn of reading.agent.slice(-2)) if (says(turn, 'closing')) evidence.agentClosed = turn.index;
  return evidence;
}

/** The matter was handed on and not met: a deed that nothing undid makes it a wish beside the matter. */
export function isHandedOn({ relayed, success, refusal, failure }: Evidence): boolean {
  return relayed !== null && !(success !== null && isAfter(success, latest(refusal, failure)));
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

/** Who says that they are pleased, and goes to see to it, gives nothing up: "brilliant, I'll come in at lunch". */
function goesPleased(turn: SpokenTurn): boolean {
  return says(turn, 'accepts') && !says(turn, 'frustrated') && !says(turn, 'doubts');
}

/** "I'll walk over, what do I need?": who asks on, is told and says thanks has given nothing up. */
function isAnsweredAfter(reading: CallBase, turn: SpokenTurn): boolean {
  const [answer, reply] = [reading.spoken[turn.order + 1], reading.spoken[turn.order + 2]];
  return wants(turn) && answer !== undefined && answer.values.length > 0 && says(reply, 'thanks');
}
