import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { CALLER_INTERRUPTS_OFTEN } from '../entries/speaking.ts';
import { limit, missingTimes } from '../needs.ts';
import { PROMPT } from '../places.ts';

const FIVE_MINUTES_MS = 300_000;
const FEWEST_WORDS = 3;

/** The caller keeps cutting in: what the agent says is too long, or not what is wanted. */
export const callerInterruptsOften: Detector = {
  entry: CALLER_INTERRUPTS_OFTEN,
  detect(reading, _input, thresholds) {
    const missing = missingTimes(reading);
    if (missing !== null) return missing;
    const cuts = (reading.timing?.bargeIns ?? []).filter(
      (one) => (reading.spokenAt.get(one.caller.index)?.words.length ?? 0) >= FEWEST_WORDS,
    );
    const times = limit(thresholds, 'times');
    for (const [at, cut] of cuts.entries()) {
      const first = cuts[at - times + 1];
      if (first === undefined || cut.caller.startMs - first.caller.startMs > FIVE_MINUTES_MS) continue;
      const spoken = reading.spokenAt.get(cut.caller.index);
      return [
        {
          turnIndex: cut.caller.index,
          quote: spoken === undefined ? '' : quoteTurn(spoken),
          detail: `The caller cut in ${cuts.length} times.`,
          place: PROMPT,
          confidence: 0.8,
        },
      ];
    }
    return [];
  },
};
