import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingTimes } from '../needs.ts';
import { RECOGNISER } from '../places.ts';

const NOTHING_HEARD = /^\s*(?:[[(<]\s*(?:inaudible|unintelligible|unclear|noise)\s*[\])>]\s*)?$/i;

/** The caller spoke, and nothing was written down. */
export const callerTurnEmpty: Detector = {
  entry: entry({
    code: 'caller_turn_empty',
    title: 'Caller spoke, nothing heard',
    klass: 'technical',
    lane: 'hearing',
    severity: 'medium',
    thresholds: { spokenMs: 1000 },
    needs: ['turn_times'],
    isNot: 'A cough or a click of less than a second, or a record whose words were removed.',
    check: 'Listen to these moments: quiet speech, noise, or another language?',
  }),
  detect(reading, _input, thresholds) {
    const missing = missingTimes(reading);
    if (missing !== null) return missing;
    if (!reading.callerSpoke) return { reason: 'No turn of the caller holds words, so an empty one means nothing.' };
    return (reading.timing?.timed ?? [])
      .filter(
        (turn) =>
          turn.role === 'caller' &&
          turn.endMs - turn.startMs >= limit(thresholds, 'spokenMs') &&
          NOTHING_HEARD.test(turn.text.slice(0, 60)),
      )
      .map((turn) => ({
        turnIndex: turn.index,
        quote: turn.text.trim(),
        detail: `The caller spoke for ${((turn.endMs - turn.startMs) / 1000).toFixed(1)} s and nothing was written down.`,
        place: RECOGNISER,
        confidence: 0.8,
      }));
  },
};
