import { isUnreached } from '../../calls/answered.ts';
import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { INSTANT_HANGUP } from '../entries/callers.ts';
import { limit, missingEnder } from '../needs.ts';
import { AGENT } from '../places.ts';

/** The caller hung up at once. */
export const instantHangup: Detector = {
  entry: INSTANT_HANGUP,
  detect(reading, _input, thresholds) {
    const missing = missingEnder(reading);
    if (missing !== null) return missing;
    const { call, caller, sides } = reading;
    const { outcome } = reading.outcome();
    if (isUnreached(reading.answered)) return [];
    if (call.ending.endedBy !== 'caller' || reading.spoken.length === 0) return [];
    const short = call.durationMs > 0 && call.durationMs < limit(thresholds, 'withinMs');
    const turns = caller.length + sides.caller.missing.length;
    const early =
      sides.caller.state !== 'not_recorded' && turns < 2 && outcome !== 'resolved' && outcome !== 'transferred';
    if (!short && !early) return [];
    const last = reading.spoken.at(-1);
    return [
      {
        turnIndex: last?.index ?? reading.lastIndex,
        quote: last === undefined ? '' : quoteTurn(last),
        detail: short
          ? `The caller hung up after ${(call.durationMs / 1000).toFixed(1)} s.`
          : 'The caller hung up before their second turn.',
        place: AGENT,
        confidence: 0.8,
      },
    ];
  },
};
