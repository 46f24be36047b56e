import { says } from '../../calls/spoken-turn.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import { quotePhrase } from '../quotes.ts';

/** The agent talks to a menu that wants keys, and presses none. */
export const ivrStuck: Detector = {
  entry: entry({
    code: 'ivr_stuck',
    title: 'Agent stuck in a phone menu',
    klass: 'flow',
    lane: 'flow',
    severity: 'medium',
    thresholds: { prompts: 2 },
    needs: ['words_of_the_talk'],
    observation: true,
    isNot: 'One menu that the agent leaves by a key or by a word, or a caller who talks about a menu.',
    check: 'Give {place} a tool that presses keys, and say which way leads to a person.',
  }),
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    const menus = reading.caller.filter((turn) => says(turn, 'phone_menu'));
    const decisive = menus[limit(thresholds, 'prompts') - 1];
    if (decisive === undefined) return [];
    const pressed =
      reading.call.turns.some((turn) => turn.dtmf !== null) ||
      reading.tools.some((use) => use.nameWords.some((word) => KEYS.has(word)));
    if (pressed) return [];
    return [
      {
        turnIndex: decisive.index,
        quote: quotePhrase(decisive, 'phone_menu'),
        detail: `The far side played its menu ${menus.length} times, and no key was pressed.`,
        place: placeAt(reading, decisive.index),
        confidence: 0.6,
        candidate: true,
      },
    ];
  },
};

const KEYS = new Set(['dtmf', 'digit', 'digits', 'press', 'keypad', 'key', 'keys']);
