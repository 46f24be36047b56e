import { phrasesOf } from '../../acts/lists/phrases.ts';
import { cutWords, jaccard } from '../../calls/text.ts';
import { splitName } from '../../calls/tool-words.ts';
import type { Detector } from '../catalogue-entry.ts';
import { IVR_STUCK } from '../entries/flow.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import type { CallReading } from '../reading.ts';

/** The agent talks to a menu that wants keys, and presses none. */
export const ivrStuck: Detector = {
  entry: IVR_STUCK,
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    const menus = menusOf(reading);
    const decisive = menus[limit(thresholds, 'prompts') - 1];
    if (decisive === undefined) return [];
    const pressed =
      reading.call.turns.some((turn) => turn.dtmf !== null) || reading.tools.some((use) => pressesKeys(use.nameWords));
    if (pressed) return [];
    const keyTools = reading.configuration?.tools.filter((tool) => pressesKeys(splitName(tool.name))).length ?? null;
    return [
      {
        turnIndex: decisive.index,
        quote: decisive.quote,
        detail: `The far side played its menu ${menus.length} times, and no key was pressed.`,
        place: placeAt(reading, decisive.index),
        confidence: 0.6,
        // A menu that is played word for word again is a machine's; somebody may talk about one.
        candidate: !isRepeated(menus),
        facts: { keyTools },
      },
    ];
  },
};

function pressesKeys(words: readonly string[]): boolean {
  return words.some((word) => KEYS.has(word));
}

interface Menu {
  index: number;
  words: readonly string[];
  quote: string;
}

/** What the far side plays, whether the record takes it for a caller or for something else. */
function menusOf(reading: CallReading): Menu[] {
  const matcher = phrasesOf(reading.language ?? '')?.caller;
  return reading.call.turns.flatMap((turn) => {
    if ((turn.role !== 'caller' && turn.role !== 'other') || turn.text === '') return [];
    const spoken = reading.spokenAt.get(turn.index);
    const cut = spoken ?? cutWords(turn.text);
    const hits = spoken?.hits ?? matcher?.(cut.words) ?? [];
    const hit = hits.find(({ list }) => list === 'phone_menu');
    if (hit === undefined) return [];
    const quote = turn.text.slice(cut.starts[hit.from], cut.ends[hit.to - 1]);
    return [{ index: turn.index, words: cut.words, quote }];
  });
}

function isRepeated(menus: readonly Menu[]): boolean {
  return menus.some((menu, at) => at > 0 && jaccard(menu.words, menus[at - 1]?.words ?? []) >= SAME_MENU);
}

const SAME_MENU = 0.6;
const KEYS = new Set(['dtmf', 'digit', 'digits', 'press', 'keypad', 'key', 'keys']);
