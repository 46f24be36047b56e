import type { Turn } from '../../calls/call.ts';
import { pressesKeys } from '../../calls/tool-effects.ts';
import { splitName } from '../../calls/tool-words.ts';
import { cutText, cutWords, jaccard } from '../../text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { IVR_STUCK } from '../entries/flow.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import type { CallReading } from '../reading.ts';

/** The agent talks to a menu that wants keys and presses none, or the menu asks again after each key. */
export const ivrStuck: Detector = {
  entry: IVR_STUCK,
  detect(reading, _input, thresholds) {
    const menus = menusOf(reading);
    const missing = menus.length === 0 ? missingPhrases(reading) : null;
    if (missing !== null) return missing;
    const keys = reading.tools.filter(({ effect }) => effect === 'keys').length;
    const again = keys === 0 ? menus.slice(1) : menus.filter((menu, at) => isAsked(menus.slice(0, at), menu));
    const decisive = again[limit(thresholds, 'prompts') - 2];
    // Keys that led on were taken: only a menu that nobody got out of did not take them.
    if (decisive === undefined || (keys > 0 && reading.answered.by !== 'phone_menu')) return [];
    const keyTools = reading.configuration?.tools.filter((tool) => pressesKeys(splitName(tool.name))).length ?? null;
    return [
      {
        turnIndex: decisive.index,
        quote: cutText(decisive.text, QUOTE_AT_MOST),
        detail:
          keys > 0
            ? `Keys were pressed ${keys} times, and the menu asked again.`
            : `The menu spoke ${menus.length} times, and no key was pressed.`,
        place: placeAt(reading, decisive.index),
        confidence: 0.6,
        facts: { keyTools: keys > 0 ? null : keyTools },
      },
    ];
  },
};

const QUOTE_AT_MOST = 240;

/** What the menu says, whether the record takes it for a caller or for something else. */
function menusOf({ answered, turnAt }: CallReading): Turn[] {
  return [...answered.before, answered]
    .filter(({ by }) => by === 'phone_menu')
    .flatMap(({ turns }) => turns.flatMap((index) => turnAt.get(index) ?? []));
}

/** The same choice as before, whatever stands around it. */
const isAsked = (before: readonly Turn[], menu: Turn): boolean =>
  before.some(({ text }) => jaccard(cutWords(text).words, cutWords(menu.text).words) >= SAME_MENU);
const SAME_MENU = 0.4;
