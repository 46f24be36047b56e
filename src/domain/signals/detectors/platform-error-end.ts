import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { missingEndReason } from '../needs.ts';
import { MODEL, PLATFORM, RECOGNISER, TELEPHONY, VOICE } from '../places.ts';
import type { Place } from '../signal.ts';
import { textOf } from '../tool-causes.ts';

const PARTS: readonly [RegExp, Place][] = [
  [/llm|model|openai|anthropic|completion|websocket/i, MODEL],
  [/asr|stt|transcri|deepgram|speech[_-]?recog/i, RECOGNISER],
  [/tts|voice(?!mail)|synth|eleven|playht|cartesia/i, VOICE],
  [/sip|telephon|twilio|vonage|telnyx|transport|audio|carrier|routing/i, TELEPHONY],
];

/** The call was ended by a fault of the platform or of something behind it. */
export const platformErrorEnd: Detector = {
  entry: entry({
    code: 'platform_error_end',
    title: 'Call ended by a fault',
    klass: 'technical',
    lane: 'integrations',
    severity: 'critical',
    needs: ['end_reason'],
    fact: true,
    ending: true,
    isNot: 'A caller who hangs up, a time limit, or a call that nobody answered.',
    causes: [
      {
        code: 'part_failed',
        label: 'A part of the platform failed',
        category: 'system_failure',
        party: 'platform',
        outside: true,
        recommendation: 'Take the ids of these calls to the provider of {place}, or set a fallback for it.',
        evidence: (facts) =>
          textOf(facts['part']) === ''
            ? null
            : `The end reason "${textOf(facts['reason'])}" names ${textOf(facts['part'])}.`,
      },
    ],
    check: 'Look up the end reason of these calls at the provider of {place}.',
  }),
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
