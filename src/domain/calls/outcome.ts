import { does } from '../acts/act.ts';
import type { Outcome } from '../vocabulary.ts';
import type { ClaimReading } from './claims.ts';
import { decideCoded } from './coded-log.ts';
import type { LedgerFinding } from './ledger/finding.ts';
import { confidenceOf } from './outcome-confidence.ts';
import { type Evidence, gatherEvidence, isAfter, isStatement, latest } from './outcome-evidence.ts';
import { findMisfit } from './outcome-fit.ts';
import { leftInTheMiddle } from './outcome-leave.ts';
import { scoreOf } from './outcome-score.ts';
import { isSettled, readStanding, refusedBesides, wants } from './outcome-standing.ts';
import type { CallBase } from './read-turns.ts';
import { groundOfRefusal } from './refusal-grounds.ts';
import { type SpokenTurn, says } from './spoken-turn.ts';
import { wantsPerson } from './wants-person.ts';

/** Why a call ended as it did: the rule that decided, the turns it stands on and one sentence. */
export interface OutcomeReading {
  /** Null where the record can't tell. */
  outcome: Outcome | null;
  confidence: number;
  reason: { rule: string; turns: number[]; text: string };
  /** 0 to 1, higher is worse: from the same evidence, finer than the outcome. */
  badEndingScore: number;
}

export type Decision = {
  outcome: Outcome | null;
  confidence: number;
  rule: string;
  turns: (number | null)[];
  text: string;
};

/** Outcome by evidence, in a fixed order of rules; the platform's end reason only speaks where the talk says nothing. */
export function readOutcome(
  reading: CallBase,
  claims: readonly ClaimReading[],
  findings: readonly LedgerFinding[],
): OutcomeReading {
  const evidence = gatherEvidence(reading, claims, findings);
  const decision = decide(reading, evidence);
  const turns = [...new Set(decision.turns.filter((turn) => turn !== null))].sort((a, b) => a - b);
  return {
    outcome: decision.outcome,
    confidence: confidenceOf(decision.rule, decision.confidence),
    reason: { rule: decision.rule, turns, text: decision.text },
    badEndingScore: scoreOf(reading, decision, evidence, findings),
  };
}

function decide(reading: CallBase, evidence: Evidence): Decision {
  const { call } = reading;
  const machine = answeredByMachine(reading);
  if (machine !== null) return machine;
  if (!reading.callerSpoke) {
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
  return asLeft(reading, decideGoal(reading, evidence));
}

/** Rules that find the request open and leave it to the last turns whether the caller was told so or went away. */
const OPEN_RULES = new Set(['caller_gave_up', 'not_accepted', 'nothing_decides', 'left_with_goal_open']);

function asLeft(reading: CallBase, decision: Decision): Decision {
  if (!OPEN_RULES.has(decision.rule) || decision.outcome === null) return decision;
  return { ...decision, outcome: leftInTheMiddle(reading) ? 'abandoned' : 'unresolved' };
}

/** Nobody can read the words, or the record holds none of the agent's: what tools did is all there is. */
function decideUnread(reading: CallBase, evidence: Evidence): Decision {
  const setback = latest(evidence.refusal, evidence.failure);
  const make = (
    outcome: Outcome | null,
    confidence: number,
    rule: string,
    turn: number | null,
    text: string,
  ): Decision => ({
    outcome,
    confidence,
    rule,
    turns: [turn],
    text,
  });
  if (evidence.relayed !== null && !isAfter(evidence.success, evidence.relayed)) {
    return make(
      'unresolved',
      0.7,
      'called_back_instead',
      evidence.relayed,
      'The matter was handed on to somebody who will call.',
    );
  }
  if (evidence.success !== null && isAfter(evidence.success, setback)) {
    return make(
      'resolved',
      0.7,
      'write_succeeded',
      evidence.success,
      'What was asked of the tools succeeded, and nothing failed after it.',
    );
  }
  if (setback !== null && !isAfter(evidence.answer, setback)) {
    return make(
      'unresolved',
      0.7,
      'tools_failed',
      setback,
      'The last thing that was asked of the tools failed or was refused.',
    );
  }
  if (reading.agent.length === 0 && reading.caller.length === 1) {
    return make(
      'abandoned',
      0.8,
      'nobody_answered',
      reading.caller[0]?.index ?? null,
      'The caller spoke once, and nobody answered.',
    );
  }
  if (reading.agent.length === 0) {
    return make(
      null,
      0,
      'agent_unheard',
      null,
      'The record holds no words of the agent, and no tool tells how the call ended.',
    );
  }
  return make(null, 0, 'words_unread', null, `${reading.phrasesMissing ?? ''} No tool tells how it ended.`);
}

const MACHINE_WITHIN = 2;

/** A voicemail greeting is no caller, whatever role the record gives it. */
function answeredByMachine(reading: CallBase): Decision | null {
  const { call, caller } = reading;
  const greeting = caller
    .slice(0, MACHINE_WITHIN)
    .find((turn) => does(turn, 'greets_as_machine') && !turn.asks && !says(turn, 'request_strong'));
  const noted = reading.tools.find((use) => /voice_?mail/i.test(`${use.name} ${use.argsKey}`));
  const isMachine = call.ending.family === 'machine' || greeting !== undefined || noted !== undefined;
  if (!isMachine || caller.length > MACHINE_WITHIN) return null;
  return {
    outcome: 'no_contact',
    confidence: 0.9,
    rule: 'answering_machine',
    turns: [greeting?.index ?? noted?.callTurn ?? null],
    text: 'An answering machine took the call.',
  };
}

function decideTransfer(reading: CallBase, evidence: Evidence): Decision | null {
  const { transfer } = evidence;
  if (transfer !== null && transfer.ok !== false && !transfer.refusal) {
    const turn = transfer.resultTurn ?? transfer.callTurn;
    const sure = transfer.ok === true ? 1 : 0.9;
    return {
      outcome: 'transferred',
      confidence: sure,
      rule: 'transfer_tool',
      turns: [turn],
      text: `The call was handed over by "${transfer.name}".`,
    };
  }
  const { ending, disconnectionReason } = reading.call;
  if (ending.hint === 'transferred') {
    return {
      outcome: 'transferred',
      confidence: 0.95,
      rule: 'transfer_end_reason',
      turns: [],
      text: `The platform ended the call with "${disconnectionReason}".`,
    };
  }
  const last = reading.agent.at(-1);
  if (
    transfer === null &&
    last !== undefined &&
    says(last, 'offers_transfer') &&
    !last.asks &&
    reading.spoken.at(-1) === last &&
    ending.endedBy !== 'caller'
  ) {
    return {
      outcome: 'transferred',
      confidence: 0.6,
      rule: 'transfer_last_act',
      turns: [last.index],
      text: 'The last thing the agent did was to hand the caller over.',
    };
  }
  if (transfer === null) {
    const { kind, turn } = readStanding(reading);
    const after = turn === null ? [] : reading.caller.filter((one) => one.index > turn.index);
    if (kind === 'handed_over' && turn !== null && after.length <= TURNS_OF_A_HAND_OVER) {
      return {
        outcome: 'transferred',
        confidence: 0.6,
        rule: 'handed_over_in_words',
        turns: [turn.index],
        text: 'The agent says that it hands the caller over.',
      };
    }
  }
  return null;
}

function decideGoal(reading: CallBase, evidence: Evidence): Decision {
  const coded = decideCoded(reading);
  if (coded !== null) return coded;
  if (reading.phrasesMissing !== null || reading.agent.length === 0) return decideUnread(reading, evidence);
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
  if (evidence.differs !== null) {
    return {
      outcome: 'unresolved',
      confidence: 0.7,
      rule: 'record_differs',
      turns: [evidence.differs.turn, evidence.differs.use?.resultTurn ?? null],
      text: `What the caller was told is not what the record shows. ${evidence.differs.detail}`,
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
  if (evidence.relayed !== null && !isAfter(evidence.success, evidence.relayed)) {
    return {
      outcome: 'unresolved',
      confidence: 0.8,
      rule: 'called_back_instead',
      turns: [evidence.relayed],
      text: 'Instead of an answer the matter was handed on to somebody who will call.',
    };
  }
  const misfit = findMisfit(reading);
  if (misfit !== null) {
    return { outcome: 'unresolved', confidence: 0.7, ...misfit };
  }
  if (evidence.goAhead !== null) {
    return {
      outcome: 'unresolved',
      confidence: 0.7,
      rule: 'go_ahead_unanswered',
      turns: [evidence.goAhead],
      text: 'The caller told the agent to go ahead, and no tool was called after it.',
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
    const ground = groundOfRefusal(reading, setback);
    if (ground === 'own_rule' && evidence.failure !== setback) {
      return {
        outcome: 'unresolved',
        confidence: 0.7,
        rule: 'refused_by_rule',
        turns: [setback],
        text: "The last request was turned down for a reason that the agent's own prompt gives, and the talk was closed after it.",
      };
    }
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
        text: 'The last thing that the caller heard is that it can not be done.',
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

/** What the agent's words leave standing, and whether the caller left it at that; null where the agent still owes something. */
function decideByWords(reading: CallBase): Decision | null {
  const last = readStanding(reading);
  const besides = last.kind === 'refused' && refusedBesides(reading).has(last.turn?.index ?? -1);
  const { kind, turn } = besides ? (last.settledBefore ?? last) : last;
  if (turn === null) return null;
  const against = reading.caller.find((one) => one.index > turn.index && isAgainst(reading, one));
  const turns = [turn.index, against?.index ?? reading.caller.findLast((one) => one.index > turn.index)?.index ?? null];
  const make = (outcome: Outcome, confidence: number, rule: string, text: string): Decision => ({
    outcome,
    confidence,
    rule,
    turns,
    text,
  });
  if (kind === 'handed_over') return null;
  if (kind === 'later') {
    return make(
      'unresolved',
      0.6,
      'called_back_instead',
      'Instead of an answer the caller is told that somebody will call.',
    );
  }
  if (kind === 'refused') {
    return make('unresolved', 0.6, 'refused_last', 'The last word on the request is that it can not be done.');
  }
  if (kind !== 'done' && kind !== 'told') return null;
  const reacted = reading.caller.some((one) => one.index > turn.index);
  if (!reacted || (against?.asks === true && reading.spoken.at(-1) === against)) return null;
  if (against !== undefined) {
    return make('unresolved', 0.6, 'not_accepted', 'The caller does not leave it at what the agent said.');
  }
  if (kind === 'told' && (wantsPerson(reading) || !broughtSomething(reading, turn))) return null;
  if (kind === 'done') {
    return make('resolved', 0.7, 'done_in_words', 'The agent says that it is done, and the caller leaves it at that.');
  }
  const content = reading.caller.some((one) => one.index > turn.index && isContent(reading, one));
  if (turn.values.length === 0 && !content) return null;
  return make('resolved', 0.6, 'told_and_left', 'The agent tells what was asked, and the caller leaves it at that.');
}

/** Before it was told, the caller asked for something or told what it was about. */
function broughtSomething(reading: CallBase, told: SpokenTurn): boolean {
  return reading.caller.some(
    (turn) => turn.index < told.index && (wants(turn) || turn.words.length >= WORDS_OF_A_MATTER),
  );
}

const WORDS_OF_A_MATTER = 4;

/** Thanks, a goodbye, a yes, or a no to whether there is more. */
function isContent(reading: CallBase, turn: SpokenTurn): boolean {
  if (does(turn, 'thanks', 'closes', 'confirms')) return true;
  return does(turn, 'denies') && does(reading.spoken[turn.order - 1], 'offers_more');
}

/** Somebody who is handed over says thanks; whoever goes on talking was not. */
const TURNS_OF_A_HAND_OVER = 1;

/** The caller complains, puts something right, gives up, or asks and gets no answer. */
function isAgainst(reading: CallBase, turn: SpokenTurn): boolean {
  if (does(turn, 'complains', 'gives_up')) return true;
  if (does(turn, 'thanks')) return false;
  if (reading.talk.corrections.some((one) => one.turn === turn.index && one.explicit)) return true;
  if (turn.asks && reading.spoken.at(-1) === turn) return true;
  const before = reading.spoken[turn.order - 1];
  return does(turn, 'denies') && before?.asks !== true && !does(turn, 'thanks', 'closes');
}
