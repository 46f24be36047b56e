import type { Detector } from '../catalogue-entry.ts';
import { TALK_RATIO_HIGH } from '../entries/speaking.ts';
import { limit, missingTimes } from '../needs.ts';
import { PROMPT } from '../places.ts';

/** The agent has most of the speech. */
export const talkRatioHigh: Detector = {
  entry: TALK_RATIO_HIGH,
  detect(reading, _input, thresholds) {
    const missing = missingTimes(reading);
    if (missing !== null) return missing;
    if (!reading.callerSpoke) return { reason: 'The caller said nothing on this call.' };
    const untimed = reading.timing?.untimed.length ?? 0;
    if (untimed > 0) return { reason: 'Some turns of this call have no times, so shares of the speech are not known.' };
    let agentMs = 0;
    let allMs = 0;
    for (const turn of reading.timing?.timed ?? []) {
      allMs += turn.endMs - turn.startMs;
      if (turn.role === 'agent') agentMs += turn.endMs - turn.startMs;
    }
    const share = allMs === 0 ? 0 : agentMs / allMs;
    if (reading.call.durationMs <= limit(thresholds, 'callMs') || share <= limit(thresholds, 'share')) return [];
    return [
      {
        turnIndex: reading.lastIndex,
        quote: '',
        detail: `The agent had ${Math.round(share * 100)} % of the speech.`,
        place: PROMPT,
        confidence: 0.8,
      },
    ];
  },
};
