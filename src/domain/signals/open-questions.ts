import { does } from '../acts/act.ts';
import { sentencesOf } from '../acts/sentences.ts';
import { type SpokenTurn, says } from '../acts/spoken-turn.ts';
import { questionWordsOf } from '../words/question-words-of.ts';
import { talkWords } from '../words/talk-words.ts';
import { STOP, VALUE } from '../words/word-bits.ts';
import type { CallReading } from './reading.ts';

const WORD_AT_LEAST = 3;
const STEM = 4;
const LEADS_AT_MOST = 3;

/** A question that is owed an answer; a goodbye with a question in it is none. */
export function isOpenQuestion(reading: CallReading, turn: SpokenTurn): boolean {
  if (does(turn, 'thanks', 'closes') || says(turn, 'wrong_number') || turn.words.length < 3) return false;
  // "Will do, good luck" agrees.
  if (turn.words[0] === 'will' && turn.words[1] === 'do') return false;
  // "Yes. Would there be a charge?"
  if (does(turn, 'confirms'))
    return (
      turn.words.length > WORDS_OF_A_YES && !does(turn, 'requests') && (turn.asks || startsInverted(reading, turn))
    );
  return (
    turn.asks ||
    isTagged(reading, turn) ||
    sentencesOf(turn).some(({ from, to }) => to - from > 2 && startsAsking(reading, turn, from))
  );
}

/** "Yes, is that it?" goes along with what was said. */
const WORDS_OF_A_YES = 5;

/** Behind the yes a sentence begins with a verb and who does it; German and French put them so inside of statements too. */
function startsInverted(reading: CallReading, turn: SpokenTurn): boolean {
  const { leads, yesOrNo } = questionWordsOf(reading.language);
  return sentencesOf(turn).some(({ from, to }) => {
    let at = from;
    while (at < to && (leads.has(turn.words[at] ?? '') || yesOrNo.has(turn.words[at] ?? ''))) at += 1;
    return isInverted(reading, turn, at);
  });
}

/** "And is that a guess": small words may stand before the word that asks. */
function startsAsking(reading: CallReading, turn: SpokenTurn, from: number): boolean {
  const { asks, leads } = questionWordsOf(reading.language);
  let at = from;
  while (at < from + LEADS_AT_MOST && leads.has(turn.words[at] ?? '')) at += 1;
  return asks.has(turn.words[at] ?? '');
}

/** "That's still not right, is it". */
function isTagged(reading: CallReading, turn: SpokenTurn): boolean {
  const [first, second] = questionWordsOf(reading.language).tags;
  return first.has(turn.words.at(-2) ?? '') && second.has(turn.words.at(-1) ?? '');
}

/** The caller's turn ends on a word with which no sentence ends. */
export function isCutOff(reading: CallReading, turn: SpokenTurn): boolean {
  const { unfinished } = questionWordsOf(reading.language);
  const [last = ''] = turn.words.slice(-1);
  return turn.words.length > 2 && (unfinished.has(last) || unfinished.has(`${turn.words.at(-2) ?? ''}+${last}`));
}

export function isYesOrNo(reading: CallReading, reply: SpokenTurn): boolean {
  const { yesOrNo } = questionWordsOf(reading.language);
  const [first = '', second = '', third = ''] = reply.words;
  // "Not until Monday", "not at this hour".
  return yesOrNo.has(first) || yesOrNo.has(`${first}+${second}`) || yesOrNo.has(`${first}+${second}+${third}`);
}

/** "Would there be a charge", without a mark. */
function isInverted(reading: CallReading, turn: SpokenTurn, at: number): boolean {
  const [verbs, subjects] = questionWordsOf(reading.language).inverted;
  return verbs.has(turn.words[at] ?? '') && subjects.has(turn.words[at + 1] ?? '');
}

/** "It is more than I thought, um, could I pay": a question begins in the last words, though nothing marks it. */
export function endsAsking(reading: CallReading, turn: SpokenTurn): boolean {
  if (turn.turn.text.trimEnd().endsWith('.')) return false;
  return turn.words.some(
    (_, at) =>
      at >= turn.words.length - WORDS_AT_THE_END &&
      isInverted(reading, turn, at) &&
      PERSONAL.has(turn.words[at + 1] ?? '') &&
      !RELATIVE.has(turn.words[at - 1] ?? ''),
  );
}

const PERSONAL = talkWords('persons');
/** "The main thing is it's open", "all I can do". */
const RELATIVE = talkWords('relative');
const WORDS_AT_THE_END = 10;

/** Words of a turn that name a matter: no small words, numbers or days. */
function mattersOf(turn: SpokenTurn): string[] {
  return turn.words.filter(
    (word, at) => word.length >= WORD_AT_LEAST && ((turn.bits[at] ?? 0) & (STOP | VALUE)) === 0 && !/[\d']/.test(word),
  );
}

/** Words that begin alike count as one word in other forms. */
function isIn(turn: SpokenTurn, word: string): boolean {
  return turn.words.some((one) => one === word || (one.length >= STEM && one.slice(0, STEM) === word.slice(0, STEM)));
}

export function sharesMatter(reading: CallReading, a: SpokenTurn, b: SpokenTurn): boolean {
  const { empty } = questionWordsOf(reading.language);
  return mattersOf(a).some((word) => !empty.has(word) && isIn(b, word));
}
