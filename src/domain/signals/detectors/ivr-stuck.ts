import { phrasesOf } from '../../acts/lists/phrases.ts';
import { cutWords, jaccard } from '../../calls/text.ts';
import { splitName } from '../../calls/tool-uses.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import type { CallReading } from '../reading.ts';

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
    isNot: 'One menu that the agent leaves by a key or by a word, or a caller who talks about a menu.',
    causes: [
      {
        code: 'no_key_tool',
        label: 'The agent can press no keys',
        category: 'missing_tool',
        party: 'agent',
        outside: false,
        recommendation: 'Give the agent a tool that presses keys, and say at {place} which way leads to a person.',
        evidence: (facts) => (facts['keyTools'] === 0 ? 'None of the tools of this version presses keys.' : null),
      },
      {
        code: 'key_tool_not_used',
        label: 'The agent has a tool that presses keys and does not use it',
        category: 'instruction_breach',
        party: 'agent',
        outside: false,
        recommendation: 'Write at {place}: when a menu asks for a key, press the one that leads to a person.',
        evidence: (facts) =>
          typeof facts['keyTools'] === 'number' && facts['keyTools'] > 0
            ? 'This version has a tool that presses keys, and it was not called.'
            : null,
      },
    ],
    check: 'Give {place} a tool that presses keys, and say which way leads to a person.',
  }),
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
