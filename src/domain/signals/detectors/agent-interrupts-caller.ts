import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { AGENT_INTERRUPTS_CALLER } from '../entries/speaking.ts';
import { limit, missingTimes } from '../needs.ts';
import { TURN_TAKING } from '../places.ts';
import type { CallReading } from '../reading.ts';

/** The agent begins while the caller is still speaking. */
export const agentInterruptsCaller: Detector = {
  entry: AGENT_INTERRUPTS_CALLER,
  detect(reading, _input, thresholds) {
    const missing = missingTimes(reading);
    if (missing !== null) return missing;
    const cut = (reading.timing?.interruptions ?? []).filter(
      (one) => !one.together && one.overlapMs > limit(thresholds, 'overlapMs') && !isMurmur(reading, one.agent.index),
    );
    const decisive = cut[limit(thresholds, 'times') - 1];
    if (decisive === undefined) return [];
    const spoken = reading.spokenAt.get(decisive.caller.index);
    return [
      {
        turnIndex: decisive.caller.index,
        quote: spoken === undefined ? '' : quoteTurn(spoken),
        detail: `The agent began ${cut.length} times while the caller was speaking, here both spoke at once for ${(decisive.overlapMs / 1000).toFixed(1)} s.`,
        place: TURN_TAKING,
        confidence: 0.8,
      },
    ];
  },
};

/** A short "mhm" while the caller speaks shows that somebody listens. */
function isMurmur(reading: CallReading, turn: number): boolean {
  const spoken = reading.spokenAt.get(turn);
  return spoken !== undefined && spoken.words.length < WORDS_OF_A_TURN && spoken.hits.length === 0;
}

const WORDS_OF_A_TURN = 2;
