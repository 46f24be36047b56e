import type { Detector } from '../catalogue-entry.ts';
import { PLATFORM_ERROR_END } from '../entries/platform.ts';
import { missingEndReason } from '../needs.ts';
import { MODEL, PLATFORM, RECOGNISER, TELEPHONY, VOICE } from '../places.ts';
import type { Place } from '../signal.ts';

const PARTS: readonly [RegExp, Place][] = [
  [/llm|model|openai|anthropic|completion|websocket/i, MODEL],
  [/asr|stt|transcri|deepgram|speech[_-]?recog/i, RECOGNISER],
  [/tts|voice(?!mail)|synth|eleven|playht|cartesia/i, VOICE],
  [/sip|telephon|twilio|vonage|telnyx|transport|audio|carrier|routing/i, TELEPHONY],
];

/** The call was ended by a fault of the platform or of something behind it. */
export const platformErrorEnd: Detector = {
  entry: PLATFORM_ERROR_END,
  detect(reading) {
    const missing = missingEndReason(reading);
    if (missing !== null) return missing;
    const { ending, disconnectionReason } = reading.call;
    if (ending.family !== 'technical') return [];
    const reason = disconnectionReason.slice(0, 200);
    const part = PARTS.find(([pattern]) => pattern.test(reason))?.[1];
    return [
      {
        turnIndex: reading.lastIndex,
        quote: '',
        detail: `The platform ended the call with "${reason}".`,
        place: part ?? PLATFORM,
        confidence: 1,
        facts: { part: part?.label ?? '', reason },
      },
    ];
  },
};
