import { cutText } from '../../text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { MARKUP_SPOKEN } from '../entries/platform.ts';
import { missingVoice } from '../needs.ts';
import { placeAt } from '../places.ts';

const MARKUP =
  /\*\*[^*\n]{1,120}\*\*|^#{1,6} |^\s{0,4}[-*] \S|^\s{0,4}\d{1,2}\. \S.{0,200}\n\s{0,4}\d{1,2}\. |\[[^\]\n]{1,80}\]\(https?:|<\/?(?:speak|break|prosody|emphasis|say-as|phoneme|sub|p|s|br|b|i|strong|em)\b[^>\n]{0,80}>|```/m;

/** Every form of markup holds one of these, or begins a list. */
const MARKUP_SIGN = /[*#<`[]|^\s{0,4}(?:-|\d{1,2}\.) /m;

/** Signs for the eye are read out to the ear. */
export const markupSpoken: Detector = {
  entry: MARKUP_SPOKEN,
  detect(reading) {
    const missing = missingVoice(reading);
    if (missing !== null) return missing;
    return reading.agent.flatMap((turn) => {
      if (!MARKUP_SIGN.test(turn.turn.text)) return [];
      const match = MARKUP.exec(turn.turn.text);
      if (match === null) return [];
      return [
        {
          turnIndex: turn.index,
          quote: cutText(turn.turn.text, match[0].length, match.index),
          detail: 'The agent speaks text with formatting signs.',
          place: placeAt(reading, turn.index),
          confidence: 0.8,
        },
      ];
    });
  },
};
