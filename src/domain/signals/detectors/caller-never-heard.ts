import { does } from '../../acts/act.ts';
import { isUnreached } from '../../calls/answered.ts';
import type { Detector } from '../catalogue-entry.ts';
import { CALLER_NEVER_HEARD } from '../entries/hearing.ts';
import { limit } from '../needs.ts';
import { RECOGNISER } from '../places.ts';

/** The call was connected for a while and not one word of the caller arrived. */
export const callerNeverHeard: Detector = {
  entry: CALLER_NEVER_HEARD,
  detect(reading, _input, thresholds) {
    const { call } = reading;
    if (call.partial) return { reason: 'The transcript of this call is not complete.' };
    if (call.durationMs <= 0) return { reason: 'The length of this call is not known.' };
    const machine = isUnreached(reading.answered) || call.turns.some((turn) => turn.role === 'other');
    const connected = !['dial', 'setup', 'capacity'].includes(call.ending.family);
    if (reading.callerSpoke || machine || !connected || reading.agent.length === 0) return [];
    if (call.durationMs <= limit(thresholds, 'connectedMs')) return [];
    return [
      {
        turnIndex: reading.lastIndex,
        quote: '',
        detail: `The call lasted ${Math.round(call.durationMs / 1000)} s and holds no word of the caller.`,
        place: RECOGNISER,
        confidence: 0.8,
        // Where noise was written down the line worked, and an agent that ended the call had noticed: perhaps nobody spoke.
        candidate:
          reading.caller.length > 0 ||
          call.ending.endedBy === 'agent' ||
          does(reading.agent.at(-1), 'closes', 'asks_again'),
      },
    ];
  },
};
