import { says } from '../acts/spoken-turn.ts';
import type { Outcome } from '../vocabulary.ts';
import type { CallBase } from './call-base.ts';
import type { ClaimReading } from './claims.ts';
import type { Decision } from './decision.ts';
import { confidenceOf } from './outcome-confidence.ts';
import { answeredByMachine, decideTransfer } from './outcome-contact.ts';
import { type Evidence, gatherEvidence, isAfter, isHandedOn, isStatement, latest } from './outcome-evidence.ts';
import { leftInTheMiddle } from './outcome-leave.ts';
import { scoreOf } from './outcome-score.ts';
import { isSettled, readStanding } from './outcome-standing.ts';
import { decideUnread } from './outcome-unread.ts';
import { decideByWords, unlessDoubted, unlessUnasked } from './outcome-words.ts';
import { unlessOutweighed } from './weighing/unless-outweighed.ts';

/** Why a call ended as it did: the rule that decided, the turns it stands on and one sentence. */
export interface OutcomeReading {
  /** Null where the record can't tell. */
  outcome: Outcome | null;
  confidence: number;
  reason: { rule: string; turns: number[]; text: string };
  /** 0 to 1, higher is worse: from the same evidence, finer than the outcome. */
  badEndingScore: number;
}

/** Outcome by evidence, in a fixed order of rules; the platform's end reason only speaks where the talk says nothing. */
export function readOutcome(reading: CallBase, claims: readonly ClaimReading[]): OutcomeReading {
  const evidence = gatherEvidence(reading, claims);
  const weighed = unlessOutweighed(reading, decideByRules(reading, evidence));
  const decision = unlessUnasked(reading, unlessDoubted(reading, weighed));
  const turns = [...new Set(decision.turns.filter((turn) => turn !== null))].sort((a, b) => a - b);
  return {
    outcome: decision.outcome,
    confidence: Math.min(confidenceOf(decision.rule, decision.confidence), mostSure(reading)),
    reason: { rule: decision.rule, turns, text: decision.text },
    badEndingScore: scoreOf(decision, evidence),
  };
}

/** What one rule says, before the end of the talk is weighed as a whole. */
export function decideByRules(reading: CallBase, evidence: Evidence): Decision {
  const { call } = reading;
  const machine = answeredByMachine(reading);
  if (machine !== null) return machine;
  if (reading.sides.caller.state === 'silent') {
    const sure = call.partial ? 0.5 : 1;
    return {
      outcome: 'no_contact',
      confidence: sure,
      rule: 'no_caller_speech',
      turns: [],
      text: 'The caller never said a word.',
    };
  }
  const transferred = decideTransfer(reading, evidence);
  if (transferred !== null) return transferred;
  if (reading.sides.caller.state === 'missing' || reading.sides.caller.state === 'not_recorded') {
    return decideUnread(reading, evidence);
  }
  return asLeft(reading, decideGoal(reading, evidence));
}

/** Of a caller whose words are missing, in part or whole, nobody knows what they would have changed. */
function mostSure({ sides }: CallBase): number {
  return sides.caller.state === 'words' || sides.caller.state === 'silent' ? 1 : 0.5;
}

/** Rules that find the request open and leave it to the last turns whether the caller was told so or went away. */
const OPEN_RULES = new Set(['caller_gave_up', 'not_accepted', 'nothing_decides', 'left_with_goal_open']);

function asLeft(reading: CallBase, decision: Decision): Decision {
  if (!OPEN_RULES.has(decision.rule) || decision.outcome === null) return decision;
  return { ...decision, outcome: leftInTheMiddle(reading) ? 'abandoned' : 'unresolved' };
}

function decideGoal(reading: CallBase, evidence: Evidence): Decision {
  if (reading.phrasesMissing !== null || reading.agent.length === 0) return decideUnread(reading, evidence);
  const astray = reading.caller.find((turn) => says(turn, 'wrong_number'));
  if (astray !== undefined && evidence.success === null) {
    return {
      outcome: 'unresolved',
      confidence: 0.8,
      rule: 'wrong_number',
      turns: [astray.index],
      text: 'Somebody else was meant to be reached.',
    };
  }
  const setback = latest(evidence.refusal, evidence.failure);
  const closed = evidence.callerClosed !== null || evidence.agentClosed !== null;
  if (evidence.gaveUp !== null && !isAfter(evidence.success, evidence.gaveUp)) {
    return {
      outcome: 'unresolved',
      confidence: 0.8,
      rule: 'caller_gave_up',
      turns: [evidence.gaveUp],
      text: 'The caller gives up or goes elsewhere.',
    };
  }
  if (evidence.brokenClaim !== null && !isAfter(evidence.success, evidence.brokenClaim)) {
    return {
      outcome: 'unresolved',
      confidence: 0.7,
      rule: 'claim_not_backed',
      turns: [evidence.brokenClaim],
      text: 'The agent says that it is done, and no tool result backs it.',
    };
  }
  if (evidence.withdrawn !== null && evidence.failure === null) {
    return {
      outcome: 'resolved',
      confidence: 0.5,
      rule: 'request_withdrawn',
      turns: [evidence.withdrawn],
      text: 'The caller was told what is possible and chose to leave things as they are.',
    };
  }
  if (isHandedOn(evidence)) {
    return {
      outcome: 'unresolved',
      confidence: 0.8,
      rule: 'called_back_instead',
      turns: [evidence.relayed],
      text: 'Instead of an answer the matter was handed on to somebody who will call.',
    };
  }
  if (isAfter(evidence.success, setback) && (closed || isAfter(evidence.success, evidence.request))) {
    return {
      outcome: 'resolved',
      confidence: closed ? 0.9 : 0.7,
      rule: 'write_succeeded',
      turns: [evidence.request, evidence.success],
      text: "The caller's last request has a successful result, and nothing was refused or failed after it.",
    };
  }
  return closed ? decideClosed(reading, evidence, setback) : decideOpen(reading, evidence, setback);
}

/** The agent's words went on after a no to something that was done, or told in answer to what else was asked. */
function isSettledAfter(reading: CallBase, setback: number): boolean {
  if (!reading.spokenAt.has(setback)) return false;
  const standing = readStanding(reading);
  return isSettled(standing) && (standing.turn?.index ?? -1) > setback;
}

/** Somebody took leave: what was the last word on the request? */
function decideClosed(reading: CallBase, evidence: Evidence, setback: number | null): Decision {
  if (setback !== null && !isAfter(evidence.answer, setback) && !isSettledAfter(reading, setback)) {
    return {
      outcome: 'unresolved',
      confidence: 0.8,
      rule: 'refused_and_accepted',
      turns: [setback],
      text: 'The last request was turned down or failed, and the talk was closed after it.',
    };
  }
  if (evidence.answer !== null && isAfter(evidence.accepted, evidence.answer)) {
    return {
      outcome: 'resolved',
      confidence: 0.7,
      rule: 'answer_accepted',
      turns: [evidence.answer, evidence.accepted],
      text: 'The agent answered, and the caller accepted the answer.',
    };
  }
  return (
    decideByWords(reading) ??
    decideByEndReason(reading, 'nothing_decides', 'Nothing in the call shows that the request was met.')
  );
}

/** Nobody took leave: either the last thing said settled it, or the goal stayed open. */
function decideOpen(reading: CallBase, evidence: Evidence, setback: number | null): Decision {
  const { ending } = reading.call;
  const last = reading.spoken.at(-1);
  const lastCaller = reading.caller.at(-1)?.index ?? 0;
  const lastUse = reading.tools.at(-1);
  if (
    ending.endedBy === 'unknown' &&
    lastUse?.ok === false &&
    (lastUse.resultTurn ?? lastUse.callTurn ?? 0) > (last?.index ?? 0)
  ) {
    return decideByEndReason(
      reading,
      'ended_with_goal_open',
      'The record stops on a failed step, while the agent owed the caller an answer.',
    );
  }
  if (last?.role === 'agent') {
    if (
      setback !== null &&
      setback > lastCaller &&
      !isAfter(evidence.answer, setback) &&
      !isSettledAfter(reading, setback)
    ) {
      return {
        outcome: 'unresolved',
        confidence: 0.6,
        rule: 'refused_last',
        turns: [setback],
        text: reading.spokenAt.has(setback)
          ? 'The last thing that the caller heard is that it can not be done.'
          : 'The last thing that was tried for the caller failed or was turned down.',
      };
    }
    const settled = latest(evidence.success, evidence.answer);
    const brokeOff = ending.family === 'technical';
    if (
      settled !== null &&
      !brokeOff &&
      isAfter(settled, evidence.request) &&
      isStatement(last) &&
      isAfter(settled, setback)
    ) {
      return {
        outcome: 'resolved',
        confidence: 0.55,
        rule: 'answered_last',
        turns: [settled, last.index],
        text: 'The last thing that the caller heard is the result that was asked for.',
      };
    }
  }
  const inWords = decideByWords(reading);
  if (inWords !== null) return inWords;
  if (ending.endedBy === 'caller' || ending.endedBy === 'unknown' || ending.family === 'silence') {
    return {
      outcome: 'abandoned',
      confidence: ending.endedBy === 'caller' ? 0.8 : 0.6,
      rule: 'left_with_goal_open',
      turns: [last?.index ?? reading.lastIndex],
      text: 'The talk stops with the request open.',
    };
  }
  return decideByEndReason(reading, 'ended_with_goal_open', 'The call was ended with the request open.');
}

function decideByEndReason(reading: CallBase, rule: string, text: string): Decision {
  const { ending, disconnectionReason } = reading.call;
  if (ending.hint !== 'abandoned') return { outcome: 'unresolved', confidence: 0.4, rule, turns: [], text };
  return {
    outcome: 'abandoned',
    confidence: 0.5,
    rule: 'end_reason',
    turns: [],
    text: `The platform ended the call with "${disconnectionReason}".`,
  };
}
