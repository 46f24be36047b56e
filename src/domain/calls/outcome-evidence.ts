import type { CallBase } from './call-base.ts';
import type { ClaimReading } from './claims.ts';
import type { LedgerFinding } from './ledger/finding.ts';
import { refuses } from './outcome-refusal.ts';
import { givesUp, refusedBesides, wants } from './outcome-standing.ts';
import { isRequest } from './requests.ts';
import { type SpokenTurn, says } from './spoken-turn.ts';
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
  /** What words and record of a change say differently, and nothing mended later. */
  differs: LedgerFinding | null;
  /** Turn in which the caller told the agent to go ahead and no tool did anything afterwards. */
  goAhead: number | null;
  /** Turn in which the caller decides to leave things as they are. */
  withdrawn: number | null;
  transfer: ToolUse | null;
  callerLast: boolean;
  agentAskedLast: boolean;
}

export function gatherEvidence(
  reading: CallBase,
  claims: readonly ClaimReading[],
  findings: readonly LedgerFinding[],
): Evidence {
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
    differs: lastingDifference(reading, findings),
    goAhead: unansweredGoAhead(reading),
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
    if (answersInWords(reading, turn)) evidence.answer = latest(evidence.answer, turn.index);
  }
  const settled = settledInWords(reading, evidence.request);
  if (settled !== null) {
    evidence.answer = latest(evidence.answer, settled.answer);
    evidence.accepted = latest(evidence.accepted, settled.accepted);
    evidence.callerClosed = latest(evidence.callerClosed, settled.accepted);
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

/** Rules after which a call is not what the caller was told, so that its success is none. */
const DECIDING = new Set(['amount_differs', 'part_for_whole', 'waived_but_charged', 'quoted_differs', 'wrong_record']);

/** The first difference that no later success of the same tool mended. */
function lastingDifference(reading: CallBase, findings: readonly LedgerFinding[]): LedgerFinding | null {
  const lasting = findings.find(
    (finding) =>
      DECIDING.has(finding.rule) &&
      !isBeside(reading, finding) &&
      !reading.tools.some(
        (use) =>
          use !== finding.use &&
          use.name === finding.use?.name &&
          use.effect === 'write' &&
          worked(use) &&
          (use.resultTurn ?? 0) > finding.turn &&
          (use.resultTurn ?? 0) > (finding.use.resultTurn ?? 0),
      ),
  );
  return lasting ?? null;
}

/** It is about a tool for what only goes with the matter. */
function isBeside(reading: CallBase, { use, facts }: LedgerFinding): boolean {
  const name = use?.name ?? facts['tool'];
  return reading.tools.some((one) => one.name === name && roleOfUse(reading, one) === 'extra');
}

/** "Yes, go ahead" to what the agent laid out, and no tool that could have done it was called afterwards. */
function unansweredGoAhead(reading: CallBase): number | null {
  if (!reading.tools.some((use) => use.effect !== 'end')) return null;
  const last = reading.caller.at(-1);
  const before = last === undefined ? undefined : reading.spoken[last.order - 1];
  if (last === undefined || before?.role !== 'agent' || !before.asks || says(before, 'offers_more')) return null;
  if (!says(last, 'go_ahead') || says(last, 'no')) return null;
  const acted = reading.tools.some((use) => (use.callTurn ?? use.resultTurn ?? 0) > last.index);
  return acted || reading.spoken.at(-1) !== last ? null : last.index;
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

/**
 * Without tools, words are all there is: the agent said something of substance after the last request, asked whether
 * there was more, and the caller said no. Speech that comes in pieces has such an answer over several turns.
 */
function settledInWords(reading: CallBase, request: number | null): { answer: number; accepted: number } | null {
  if (reading.tools.length > 0 || request === null) return null;
  const declined = reading.caller.findLast((turn) => {
    const before = reading.spoken[turn.order - 1];
    return before?.role === 'agent' && says(before, 'offers_more') && says(turn, 'no') && !turn.asks;
  });
  if (declined === undefined) return null;
  const answer = reading.agent.findLast(
    (turn) =>
      turn.index > request &&
      turn.index < declined.index &&
      turn.words.length >= WORDS_OF_AN_ANSWER &&
      !turn.asks &&
      !says(turn, 'refuses') &&
      !says(turn, 'filler') &&
      !says(turn, 'offers_more'),
  );
  return answer === undefined ? null : { answer: answer.index, accepted: declined.index };
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
