import type { Detector } from '../catalogue-entry.ts';
import { PLACEHOLDER_SPOKEN } from '../entries/platform.ts';
import { spokenPlaceholders } from '../spoken-placeholders.ts';

/** What should have been filled in is spoken as it stands. */
export const placeholderSpoken: Detector = {
  entry: PLACEHOLDER_SPOKEN,
  detect(reading) {
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    return spokenPlaceholders(reading);
  },
};
