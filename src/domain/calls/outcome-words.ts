import { does } from '../acts/act.ts';
import { type SpokenTurn, says } from '../acts/spoken-turn.ts';
import type { Outcome } from '../vocabulary.ts';
import type { CallBase } from './call-base.ts';
import type { Decision } from './decision.ts';
import { givesUp, readStanding, refusedBesides, wants } from './outcome-standing.ts';
import { wantsPerson } from './wants-person.ts';

/** What the agent's words leave standing, and whether the caller left it at that; null where the agent still owes something. */
export function decideByWords(reading: CallBase): Decision | null {
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
  return make('resolved', 0.6, 'told_and_left', 'The agent tells what was asked, and the caller leaves it at that.');
}

/** Before it was told, the caller asked for something or told what it was about. */
function broughtSomething(reading: CallBase, told: SpokenTurn): boolean {
  return reading.caller.some(
    (turn) => turn.index < told.index && (wants(turn) || turn.words.length >= WORDS_OF_A_MATTER),
  );
}

const WORDS_OF_A_MATTER = 4;

/** The caller complains, puts something right, gives up, or asks and gets no answer. */
function isAgainst(reading: CallBase, turn: SpokenTurn): boolean {
  if (says(turn, 'glad')) return false;
  if (does(turn, 'complains') || givesUp(reading, turn)) return true;
  if (does(turn, 'thanks')) return false;
  if (reading.talk.corrections.some((one) => one.turn === turn.index && one.explicit)) return true;
  if (turn.asks && reading.spoken.at(-1) === turn) return true;
  const before = reading.spoken[turn.order - 1];
  return does(turn, 'denies') && before?.asks !== true && !does(turn, 'thanks', 'closes');
}

/** Rules that take it that the caller got the main thing because nothing speaks against it. */
const ASSUMED = new Set([
  'told_and_left',
  'done_in_words',
  'answer_accepted',
  'answered_last',
  'write_succeeded',
  'outweighed',
]);

/** A caller whose last words say that they do not rely on it, or are no wiser, did not get what they called for. */
export function unlessDoubted(reading: CallBase, decision: Decision): Decision {
  const doubt = ASSUMED.has(decision.rule) && decision.outcome === 'resolved' ? doubtAtTheEnd(reading) : null;
  if (doubt === null) return decision;
  return {
    outcome: 'unresolved',
    confidence: 0.6,
    rule: 'not_accepted',
    turns: [...decision.turns, doubt.index],
    text: 'The caller does not rely on what the agent said.',
  };
}

/** Rules that take it for done that something was told. */
const TOLD = new Set(['told_and_left', 'answer_accepted', 'answered_last', 'outweighed']);

/** Who was rung up asked for nothing: what the agent called for comes about with a yes to it, not by being told. */
export function unlessUnasked(reading: CallBase, decision: Decision): Decision {
  if (reading.call.direction !== 'outbound' || !TOLD.has(decision.rule) || decision.outcome !== 'resolved')
    return decision;
  const agreed = reading.caller.some((turn) => {
    const before = reading.spoken[turn.order - 1];
    return before?.role === 'agent' && before.asks && before.order > 0 && does(turn, 'confirms', 'gives');
  });
  if (agreed || reading.caller.some((turn) => says(turn, 'request_strong'))) return decision;
  return {
    outcome: 'unresolved',
    confidence: 0.6,
    rule: 'not_taken_up',
    turns: decision.turns,
    text: 'The agent rang up, and what it rang for was not taken up.',
  };
}

/** A goodbye may follow it; thanks take it back. */
function doubtAtTheEnd(reading: CallBase): SpokenTurn | null {
  const last = reading.caller.slice(-LAST_WORDS);
  if (last.some((turn) => does(turn, 'thanks'))) return null;
  return last.find((turn) => says(turn, 'doubts')) ?? null;
}

const LAST_WORDS = 2;
