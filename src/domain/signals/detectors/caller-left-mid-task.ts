import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingEnder } from '../needs.ts';
import { nodePlaceAt, toolPlace } from '../places.ts';
import { quoteTurn } from '../quotes.ts';
import type { CallReading } from '../reading.ts';
import type { Place } from '../signal.ts';

/** The caller left with the goal open. */
export const callerLeftMidTask: Detector = {
  entry: entry({
    code: 'caller_left_mid_task',
    title: 'Caller left mid-task',
    klass: 'flow',
    lane: 'flow',
    severity: 'medium',
    thresholds: { turns: 3 },
    needs: ['words_of_the_talk', 'end_reason'],
    ending: true,
    isNot: 'A caller who hangs up after the goal is met without a goodbye, or in the first seconds.',
    check: 'Read what stood before at {place}: what was the caller asked or told last?',
  }),
  detect(reading, _input, thresholds) {
    const missing = missingEnder(reading);
    if (missing !== null) return missing;
    if (reading.agent.length === 0)
      return { reason: 'The record holds no turns of the agent, so nothing shows what was still open.' };
    const { outcome, confidence } = reading.outcome;
    if (outcome !== 'abandoned' || reading.spoken.length < limit(thresholds, 'turns')) return [];
    if (reading.call.ending.endedBy === 'agent' || reading.call.ending.endedBy === 'platform') return [];
    const last = reading.spoken.at(-1);
    return [
      {
        turnIndex: last?.index ?? reading.lastIndex,
        quote: last === undefined ? '' : quoteTurn(last),
        detail: 'The caller left with the request open.',
        place: lastStep(reading),
        confidence: Math.min(0.8, confidence),
      },
    ];
  },
};

/** Where the call stood: the step, else the last tool with a result, else the start. */
function lastStep(reading: CallReading): Place {
  const node = nodePlaceAt(reading, reading.lastIndex);
  if (node !== null) return node;
  const use = reading.tools.findLast((one) => one.resultTurn !== null);
  return use === undefined ? { kind: 'agent', id: 'start', label: 'the start of the call' } : toolPlace(use);
}
