import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import { quoteTurn } from '../../calls/quotes.ts';
import { hasDigit } from '../../text.ts';
import { VALUE } from '../../words/word-bits.ts';
import type { Detector } from '../catalogue-entry.ts';
import { STT_PHANTOM_LOOP } from '../entries/hearing.ts';
import { limit } from '../needs.ts';
import { RECOGNISER } from '../places.ts';

/** The recogniser wrote a text that nobody said: the same few words over and over. */
export const sttPhantomLoop: Detector = {
  entry: STT_PHANTOM_LOOP,
  detect(reading, _input, thresholds) {
    if (reading.caller.length === 0) return { reason: 'The caller said nothing on this call.' };
    return reading.caller.flatMap((turn) => {
      if (turn.words.length < limit(thresholds, 'words')) return [];
      const loop = longestLoop(turn, limit(thresholds, 'repeats'));
      if (loop < limit(thresholds, 'share') * turn.words.length) return [];
      return [
        {
          turnIndex: turn.index,
          quote: quoteTurn(turn),
          detail: `${loop} of ${turn.words.length} words are the same few words over and over.`,
          place: RECOGNISER,
          confidence: 0.8,
        },
      ];
    });
  },
};

/** Where words don't come back within the length of a pattern, nothing loops. */
function repeatsSoon(words: readonly string[], repeats: number): boolean {
  let again = 0;
  for (let at = 1; at < words.length; at += 1) {
    for (let back = 1; back <= LONGEST_PATTERN && back <= at; back += 1) {
      if (words[at] !== words[at - back]) continue;
      again += 1;
      break;
    }
    if (again >= repeats - 1) return true;
  }
  return false;
}

const LONGEST_PATTERN = 5;
/** Share of words outside the loop above which a turn is no loop, whatever the setting. */
const OTHER_WORDS_AT_MOST = 0.4;

/** Words covered by the longest run in which a pattern of one to five words follows itself. Spelt numbers and letters are speech. */
function longestLoop(turn: SpokenTurn, repeats: number): number {
  const { words } = turn;
  // Ordinary speech has many different words and needs no closer look.
  const most = LONGEST_PATTERN + words.length * OTHER_WORDS_AT_MOST;
  if (turn.content.length > most || !repeatsSoon(words, repeats) || new Set(words).size > most) return 0;
  let longest = 0;
  for (let size = 1; size <= LONGEST_PATTERN; size += 1) {
    let run = 0;
    for (let at = size; at < words.length; at += 1) {
      const word = words[at] ?? '';
      const spelt = word.length === 1 || hasDigit(word) || ((turn.bits[at] ?? 0) & VALUE) !== 0;
      run = word === words[at - size] && !spelt ? run + 1 : 0;
      if (run + size > longest && run >= size * (repeats - 1)) longest = run + size;
    }
  }
  return longest;
}
