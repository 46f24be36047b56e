import { quoteTurn } from '../../calls/quotes.ts';
import { isAlike } from '../../text.ts';
import { talkWords } from '../../words/talk-words.ts';
import type { Detector } from '../catalogue-entry.ts';
import { FALSE_BARGE_IN } from '../entries/speaking.ts';
import { limit, missingTimes } from '../needs.ts';
import { TURN_TAKING } from '../places.ts';

const MURMURS = talkWords('murmurs');
const WORDS_COMPARED = 6;

/** The agent stops for a "mhm" or a noise, and begins its line again. */
export const falseBargeIn: Detector = {
  entry: FALSE_BARGE_IN,
  detect(reading, _input, thresholds) {
    const missing = missingTimes(reading);
    if (missing !== null) return missing;
    const stopped = (reading.timing?.bargeIns ?? []).filter((one) => {
      const murmur = reading.spokenAt.get(one.caller.index);
      const cut = reading.spokenAt.get(one.agent.index);
      if (murmur === undefined || cut === undefined || cut.asks || one.yieldMs > limit(thresholds, 'yieldMs'))
        return false;
      if (murmur.words.length > limit(thresholds, 'murmurWords') || !murmur.words.every((word) => MURMURS.has(word)))
        return false;
      const next = reading.agent.find((turn) => turn.index > one.caller.index);
      // Only a line begun again, or one that was marked as cut off, shows that the agent stopped because of it.
      return (
        one.agent.interrupted ||
        (next !== undefined && isAlike(next.words.slice(0, WORDS_COMPARED), cut.words.slice(0, WORDS_COMPARED), 0.8))
      );
    });
    const decisive = stopped[limit(thresholds, 'times') - 1];
    const spoken = decisive === undefined ? undefined : reading.spokenAt.get(decisive.caller.index);
    if (spoken === undefined) return [];
    return [
      {
        turnIndex: spoken.index,
        quote: quoteTurn(spoken),
        detail: `The agent broke off ${stopped.length} times for no more than a murmur.`,
        place: TURN_TAKING,
        confidence: 0.8,
        candidate: true,
      },
    ];
  },
};
