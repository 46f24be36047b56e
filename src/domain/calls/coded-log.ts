import type { CallBase } from './call-base.ts';
import type { Decision } from './decision.ts';
import type { SpokenTurn } from './spoken-turn.ts';

/** "[propose_date] {time}": an act by its name and what it carried, as some platforms log talks whose words they may not keep. */
const ACT = /^\s*\[([a-z0-9_]{2,80})\]\s*\{[^}]{0,300}\}\s*$/i;
const ACTS_AT_LEAST = 4;

const AFFIRMS = /(?:^|_)(?:confirm|affirm|accept|agree|yes)(?:_|$)/;
const REJECTS = /(?:^|_)(?:negate|deny|reject|decline|disagree|no)(?:_|$)/;
const ASKS = /^(?:q|ask|question|request_info)(?:_|$)/;
const OFFERS = /(?:^|_)(?:propose|proposed|offer|suggest)(?:_|$)/;
const SETBACKS = /unavailable|no_(?:dates?|slots?|more)|fail|too_far|no_longer|not_understand|not_available/;
const DONE =
  /(?:confirm\w{0,60}_(?:schedul|book|cancel|chang|order)|(?:schedul|book|cancel|chang|order)\w{0,60}_confirm|(?:^|_)inform(?:_|$))/;

/**
 * The outcome of a talk of which only the acts are known. In such a log a caller who leaves shows as an act of the agent that
 * nobody answers; a yes, or what the agent had asked for, as the last act shows that the caller stayed. Null for talks in words.
 */
export function decideCoded(reading: CallBase): Decision | null {
  const first = reading.spoken[0];
  if (first === undefined || reading.spoken.length < ACTS_AT_LEAST || !ACT.test(first.turn.text)) return null;
  if (!reading.spoken.every((turn) => ACT.test(turn.turn.text))) return null;
  const last = reading.spoken.at(-1);
  if (last === undefined) return null;
  return last.role === 'caller' ? endedByCaller(reading, last) : endedByAgent(reading, last);
}

function endedByCaller(reading: CallBase, last: SpokenTurn): Decision {
  const act = actOf(last);
  const setBack = reading.agent.some((turn) => SETBACKS.test(actOf(turn)));
  const turns = [last.index];
  if (AFFIRMS.test(act)) {
    const text = 'The last act of the log is the caller’s yes to what the agent had said.';
    return { outcome: 'resolved', confidence: 0.7, rule: 'log_ends_on_yes', turns, text };
  }
  const refused = REJECTS.test(act) && (setBack || rejectedOffers(reading) > 1);
  if (refused || (setBack && (ASKS.test(act) || !carries(last)))) {
    const text = 'The last act of the log is a caller’s no or question, after an offer that had not suited.';
    return { outcome: 'unresolved', confidence: 0.5, rule: 'log_ends_on_no', turns, text };
  }
  const text = 'The last act of the log gives the agent what it had asked for; nobody left.';
  return { outcome: 'resolved', confidence: setBack ? 0.2 : 0.4, rule: 'log_ends_on_answer', turns, text };
}

function endedByAgent(reading: CallBase, last: SpokenTurn): Decision {
  const act = actOf(last);
  const before = reading.caller.at(-1);
  const turns = [before?.index ?? null, last.index];
  if (DONE.test(act)) {
    const text = 'The last act of the log tells that it is done, or what comes next.';
    return { outcome: 'resolved', confidence: 0.6, rule: 'log_ends_on_result', turns, text };
  }
  // The caller had named a time, and the agent offers it: what was asked for is there.
  if (OFFERS.test(act) && !SETBACKS.test(act) && before !== undefined && OFFERS.test(actOf(before))) {
    const text = 'The last act of the log offers what the caller had named.';
    return { outcome: 'resolved', confidence: 0.2, rule: 'log_ends_on_offer', turns, text };
  }
  const setBack = SETBACKS.test(act) || (before !== undefined && REJECTS.test(actOf(before)));
  const text = 'The last act of the log is the agent’s, and nobody answered it.';
  return { outcome: 'abandoned', confidence: setBack ? 0.8 : 0.6, rule: 'log_ends_unanswered', turns, text };
}

function rejectedOffers(reading: CallBase): number {
  return reading.spoken.filter((turn) => {
    const before = reading.spoken[turn.order - 1];
    return (
      turn.role === 'caller' && before?.role === 'agent' && OFFERS.test(actOf(before)) && !AFFIRMS.test(actOf(turn))
    );
  }).length;
}

function actOf(turn: SpokenTurn): string {
  return ACT.exec(turn.turn.text)?.[1]?.toLowerCase() ?? '';
}

/** True where the act carried something, such as a time or a name. */
function carries(turn: SpokenTurn): boolean {
  return /\{\s*[^}\s]/.test(turn.turn.text);
}
