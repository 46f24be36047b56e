import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import { hasCheckDigit } from '../../personal/checksums.ts';
import { cutText } from '../../text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { SENSITIVE_DATA_SPOKEN } from '../entries/claims.ts';
import { placeAt } from '../places.ts';

const DIGIT_WORDS = new Map<string, string>(
  Object.entries({
    zero: '0',
    oh: '0',
    one: '1',
    two: '2',
    three: '3',
    four: '4',
    five: '5',
    six: '6',
    seven: '7',
    eight: '8',
    nine: '9',
  }),
);
const SOCIAL_SECURITY = /\b(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}\b/;

/** The agent reads a whole card or social security number out loud. */
export const sensitiveDataSpoken: Detector = {
  entry: SENSITIVE_DATA_SPOKEN,
  detect(reading) {
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    return reading.agent.flatMap((turn) => {
      const found = findNumber(turn);
      if (found === null) return [];
      return [
        {
          turnIndex: turn.index,
          quote: cutText(turn.turn.text, found.end - found.start, found.start),
          detail: `The agent said a whole ${found.what}.`,
          place: placeAt(reading, turn.index),
          confidence: 1,
        },
      ];
    });
  },
};

function findNumber(turn: SpokenTurn): { what: string; start: number; end: number } | null {
  const social = turn.turn.text.includes('-') ? SOCIAL_SECURITY.exec(turn.turn.text.slice(0, 5000)) : null;
  if (social !== null)
    return { what: 'social security number', start: social.index, end: social.index + social[0].length };
  let digits = '';
  let start = 0;
  for (const [at, word] of turn.words.entries()) {
    const value = digitsOf(word);
    if (value === '') {
      digits = '';
      continue;
    }
    if (digits === '') start = turn.starts[at] ?? 0;
    digits += value;
    if (digitsOf(turn.words[at + 1] ?? '') === '' && isCardNumber(digits)) {
      return { what: 'card number', start, end: turn.ends[at] ?? start };
    }
  }
  // Other languages have words of their own for figures.
  const card = turn.values.find(({ slot, forms }) => slot === 'code' && isCardNumber(forms.at(-1) ?? ''));
  return card === undefined ? null : { what: 'card number', start: card.from, end: card.to };
}

const DIGITS = /^\d{1,19}$/;

/** The digits that a word stands for, "four" and "4417" alike; empty for other words. */
function digitsOf(word: string): string {
  const code = word.charCodeAt(0);
  if (code >= 0x30 && code <= 0x39) return DIGITS.test(word) ? word : '';
  return word.length <= 5 ? (DIGIT_WORDS.get(word) ?? '') : '';
}

/** 13 to 19 digits of a card brand's range whose check digit is right. */
const isCardNumber = (digits: string) => /^[3456]\d{12,18}$/.test(digits) && hasCheckDigit(digits);
