import { does } from '../acts/act.ts';
import { questionWordsOf } from '../acts/lists/question-words-of.ts';
import { STOP, VALUE } from '../acts/lists/word-bits.ts';
import { type SentenceRange, sentencesOf } from '../acts/sentences.ts';
import { type SpokenTurn, says } from '../calls/spoken-turn.ts';
import type { CallReading } from './reading.ts';

/** How far back a caller returns to a question. */
const TURNS_BACK = 8;
const WORD_AT_LEAST = 3;
const STEM = 4;
const LEADS_AT_MOST = 3;
const ASKS_WITHIN = 4;
/** So many words of matter that name nothing that was asked for are another statement, though there is a value in it. */
const ANOTHER_MATTER = 3;

/** The caller goes back to a question that no reply has taken up since. */
export interface ComeBack {
  question: SpokenTurn;
  word: string;
}

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

/** What the caller's turn takes up again of an earlier question of theirs, where no reply between has a word of it. */
export function comesBackTo(reading: CallReading, turn: SpokenTurn): ComeBack | null {
  if (does(turn, 'thanks', 'closes') || !returns(reading, turn)) return null;
  const { empty } = questionWordsOf(reading.language);
  for (let order = turn.order - 2; order >= Math.max(0, turn.order - TURNS_BACK); order -= 1) {
    const question = reading.spoken[order];
    if (question?.role !== 'caller' || !holdsQuestion(reading, question)) continue;
    const replies = reading.spoken.slice(order + 1, turn.order).filter((one) => one.role === 'agent');
    if (replies[0] !== undefined && answers(reading, question, replies[0]) && !insists(reading, turn)) continue;
    const word = mattersOf(turn).find(
      (one) =>
        !empty.has(one) && isIn(question, one) && !replies.some((reply) => isIn(reply, one)) && replies.length > 0,
    );
    if (word !== undefined) return { question, word };
  }
  return null;
}

/** It asks, or goes back with a small word: "so the deposit", "right but the lift". */
function returns(reading: CallReading, turn: SpokenTurn): boolean {
  const { goesOn } = questionWordsOf(reading.language);
  return holdsQuestion(reading, turn) || turn.words.some((word) => goesOn.has(word));
}

/** Questions stand inside of turns that recognisers write without stops: "she is away who signed for it". */
export function holdsQuestion(reading: CallReading, turn: SpokenTurn): boolean {
  const { open } = questionWordsOf(reading.language);
  return (
    turn.asks ||
    isTagged(reading, turn) ||
    startsAsking(reading, turn, 0) ||
    turn.words.some((word) => open.has(word)) ||
    turn.words.some((_, at) => isInverted(reading, turn, at))
  );
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

const PERSONAL = new Set(
  'i we you it they he she ich wir sie du es er yo usted ustedes je nous vous on il elle'.split(' '),
);
/** "The main thing is it's open", "all I can do". */
const RELATIVE = new Set('thing that all what which who das was que lo ce'.split(' '));
const WORDS_AT_THE_END = 10;

/** Two questions in one breath: the agent may take them one after the other. */
export function asksTwice(turn: SpokenTurn): boolean {
  return turn.turn.text.split('?').length > 2;
}

/** "Right, but …" */
export function insists(reading: CallReading, turn: SpokenTurn): boolean {
  const words = questionWordsOf(reading.language);
  return turn.words.slice(0, ASKS_WITHIN).some((word) => words.insists.has(word));
}

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

/** The turn names a matter of an earlier one that the reply between them does not. */
export function namesAgain(reading: CallReading, first: SpokenTurn, reply: SpokenTurn, turn: SpokenTurn): boolean {
  const { empty } = questionWordsOf(reading.language);
  return mattersOf(turn).some((word) => !empty.has(word) && isIn(first, word) && !isIn(reply, word));
}

export function sharesMatter(reading: CallReading, a: SpokenTurn, b: SpokenTurn): boolean {
  const { empty } = questionWordsOf(reading.language);
  return mattersOf(a).some((word) => !empty.has(word) && isIn(b, word));
}

/** It refuses, hands over, did not hear, or answers. */
export function mayAnswer(reading: CallReading, question: SpokenTurn, reply: SpokenTurn): boolean {
  return (
    does(reply, 'cannot', 'hands_over', 'asks_again', 'apologises', 'calls_back') || answers(reading, question, reply)
  );
}

/** With yes or no, with the verb of the question, or with a value and little else. */
function answers(reading: CallReading, question: SpokenTurn, reply: SpokenTurn): boolean {
  if (isYesOrNo(reading, reply) || echoes(reading, question, reply)) return true;
  return sentencesOf(reply).some((sentence) => tells(question, reply, sentence));
}

/** "Is it ready?" "It is." */
function echoes(reading: CallReading, question: SpokenTurn, reply: SpokenTurn): boolean {
  const [verbs, subjects] = questionWordsOf(reading.language).inverted;
  const [subject = '', verb = ''] = reply.words;
  const isAsked = (word: string, at: number) => word === verb && subjects.has(question.words[at + 1] ?? '');
  return subjects.has(subject) && verbs.has(verb) && question.words.some(isAsked);
}

/** A value that the caller has not just said: what is read back answers nothing. */
function tells(question: SpokenTurn, reply: SpokenTurn, { from, to }: SentenceRange): boolean {
  const [start, end] = [reply.starts[from] ?? 0, reply.ends[to - 1] ?? 0];
  if (reply.turn.text[end] === '?') return false;
  const fresh = reply.values.filter(
    (value) =>
      value.from >= start &&
      value.to <= end &&
      !question.values.some((said) => said.forms.some((form) => value.forms.includes(form))),
  );
  if (fresh.length === 0) return false;
  const matters = mattersOf(reply).filter(
    (word) => reply.words.indexOf(word) >= from && reply.words.indexOf(word) < to,
  );
  return matters.length < ANOTHER_MATTER || matters.some((word) => isIn(question, word));
}
