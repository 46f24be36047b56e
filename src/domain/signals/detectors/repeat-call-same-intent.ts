import { type CallerHistory, repeatVerdict } from '../../calls/repeat-calls.ts';
import { type Request, readRequests } from '../../calls/requests.ts';
import type { Detector } from '../catalogue-entry.ts';
import { REPEAT_CALL_SAME_INTENT } from '../entries/callers.ts';
import { limit } from '../needs.ts';
import { AGENT } from '../places.ts';
import type { Detection, NotComputable } from '../signal.ts';

/** The caller calls again about the same thing within a week of a call that counted as resolved. */
export const repeatCallSameIntent: Detector = {
  entry: REPEAT_CALL_SAME_INTENT,
  detect(reading, input, thresholds) {
    const history = input.callerHistory ?? null;
    const requests = history === null ? [] : readRequests(reading);
    return repeatDetections(history, requests, limit(thresholds, 'withinDays'));
  },
};

/**
 * The rule apart from the talk, because a history changes after a call was read: earlier calls are imported later, and
 * intents are found with the grouping.
 * @param requests of the call, as its reading keeps them.
 */
export function repeatDetections(
  history: CallerHistory | null,
  requests: readonly Request[],
  withinDays: number,
): Detection[] | NotComputable {
  if (history === null) return { reason: 'Who called is not known: the record of this call holds no number.' };
  if (history.direction === 'outbound') return { reason: 'The agent placed this call, so nobody called again.' };
  const { startedAt } = history;
  if (startedAt === null) return { reason: 'This call has no start time, so no call is known to be earlier.' };
  const found = repeatVerdict({ ...history, startedAt }, withinDays);
  if (found.verdict === 'none') return [];
  if (found.verdict === 'intent_unknown') {
    return {
      reason: found.placed
        ? 'What this call is about fits no known intent, so it cannot be compared with the call before.'
        : 'The intent of this call is settled with the next grouping.',
    };
  }
  const [first] = requests;
  if (first === undefined) return [];
  return [
    {
      turnIndex: first.turn,
      quote: first.text,
      detail: `The caller had called about the same (${found.intent.replaceAll('_', ' ')}) ${daysAgo(found.daysSince)}, and that call counted as resolved.`,
      place: AGENT,
      confidence: 0.8,
    },
  ];
}

function daysAgo(days: number): string {
  if (days === 0) return 'less than a day before';
  return days === 1 ? 'a day before' : `${days} days before`;
}
