import type { Outcome } from '../vocabulary.ts';
import type { CallBase } from './call-base.ts';
import type { Decision } from './decision.ts';
import { type Evidence, isAfter, isHandedOn, latest } from './outcome-evidence.ts';
import { missingSide } from './side-record.ts';

/** Nobody can read the words, or the record lacks those of a side: what tools did is all there is. */
export function decideUnread(reading: CallBase, evidence: Evidence): Decision {
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
  if (isHandedOn(evidence)) {
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
  if (reading.sides.agent.state === 'silent' && reading.caller.length === 1) {
    return make(
      'abandoned',
      0.8,
      'nobody_answered',
      reading.caller[0]?.index ?? null,
      'The caller spoke once, and nobody answered.',
    );
  }
  const missing = missingSide(reading.sides, 'caller');
  if (missing !== null) return make(null, 0, 'caller_unheard', null, `${missing} No tool tells how the call ended.`);
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
