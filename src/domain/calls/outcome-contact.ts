import { says } from '../acts/spoken-turn.ts';
import { isUnreached } from './answered.ts';
import type { CallBase } from './call-base.ts';
import type { Decision } from './decision.ts';
import type { Evidence } from './outcome-evidence.ts';
import { readStanding } from './outcome-standing.ts';

/** A voicemail greeting, a menu or a hold line is no caller, whatever role the record gives it. */
export function answeredByMachine({ answered }: CallBase): Decision | null {
  if (!isUnreached(answered)) return null;
  return {
    outcome: 'no_contact',
    confidence: 0.9,
    rule: 'answering_machine',
    turns: answered.turns.slice(0, 1),
    text: answered.text,
  };
}

export function decideTransfer(reading: CallBase, evidence: Evidence): Decision | null {
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

/** Somebody who is handed over says thanks; whoever goes on talking was not. */
const TURNS_OF_A_HAND_OVER = 1;
