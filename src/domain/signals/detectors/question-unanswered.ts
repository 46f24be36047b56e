import { does } from '../../acts/act.ts';
import { sentencesOf } from '../../acts/sentences.ts';
import { type SpokenTurn, says } from '../../calls/spoken-turn.ts';
import { usesBetween } from '../../calls/stretch.ts';
import { hasDigit, isAlike } from '../../calls/text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import { quoteTurn } from '../quotes.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

/** A question of the caller that the agent does not answer. */
export const questionUnanswered: Detector = {
  entry: entry({
    code: 'question_unanswered',
    title: 'Question unanswered',
    klass: 'content',
    lane: 'understanding',
    severity: 'medium',
    thresholds: { contentWords: 2, agentTurns: 2 },
    needs: ['words_of_the_talk'],
    isNot:
      'An answer in figures or in one word, a look-up for it, a refusal, a counter-question about the same thing, or a polite request put as a question.',
    check: 'Read the question and the two replies after it.',
  }),
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    const certain = reading.agent.flatMap((reply) => {
      const why = whyUnanswered(reading, reply);
      return why === null ? [] : [made(reading, reply, why, 0.6, false)];
    });
    const known = new Set(certain.map(({ turnIndex }) => turnIndex));
    const doubtful = reading.caller
      .filter(
        (turn) =>
          isQuestion(turn, limit(thresholds, 'contentWords')) &&
          !known.has((reading.spoken[turn.order + 1] ?? turn).index),
      )
      .filter((turn) => !isAnswered(reading, turn, limit(thresholds, 'agentTurns')))
      .map((turn) =>
        made(reading, turn, 'The next replies of the agent take up none of the words of this question.', 0.6, true),
      );
    return [...certain, ...doubtful].sort((a, b) => a.turnIndex - b.turnIndex);
  },
};

function made(
  reading: CallReading,
  turn: SpokenTurn,
  detail: string,
  confidence: number,
  candidate: boolean,
): Detection {
  return {
    turnIndex: turn.index,
    quote: quoteTurn(turn),
    detail,
    place: placeAt(reading, turn.index),
    confidence,
    candidate,
  };
}

/** The caller says so, asks the same again in vain, or gets a courtesy for an answer. */
function whyUnanswered(reading: CallReading, reply: SpokenTurn): string | null {
  const question = reading.spoken[reply.order - 1];
  const after = reading.spoken[reply.order + 1];
  if (question?.role !== 'caller') return null;
  if (after?.role === 'caller' && says(after, 'not_answered'))
    return `The caller says at turn ${after.index} that this is no answer.`;
  if (isCourtesy(reply) && isOpen(question) && !sharesWords(question, reply))
    return `To the question at turn ${question.index} the agent only says something polite.`;
  const earlier = reading.spoken[question.order - 1];
  const first = reading.spoken[question.order - 2];
  if (does(question, 'thanks', 'closes') || does(earlier, 'asks_value') || does(reply, 'asks_value')) return null;
  if (earlier?.role !== 'agent' || first?.role !== 'caller' || !asksOn(question) || isSettled(reading, reply))
    return null;
  if (!isOpen(first) || !(insists(question) || isAlike(question.content, first.content, SAME_QUESTION))) return null;
  const again = question.content.filter((word) => word.length >= WORD_AT_LEAST && isIn(first, word));
  if (again.length === 0 || again.some((word) => isIn(earlier, word) || isIn(reply, word))) return null;
  return isOpen(first)
    ? `The caller asks about "${again[0]}" for the second time, and neither reply takes it up.`
    : null;
}

/** Share of words that two questions have in common where they are one: a word alone is also said of something else. */
const SAME_QUESTION = 0.5;
const WORD_AT_LEAST = 4;

/** Words that begin alike count as one word in other forms. */
function isIn(turn: SpokenTurn, word: string): boolean {
  return turn.words.some((one) => one === word || (one.length >= STEM && one.slice(0, STEM) === word.slice(0, STEM)));
}

const STEM = 4;

function sharesWords(a: SpokenTurn, b: SpokenTurn): boolean {
  return a.content.some((word) => isIn(b, word));
}

/** Nothing but thanks, a goodbye or "anything else?". */
function isCourtesy(reply: SpokenTurn): boolean {
  return (
    does(reply, 'closes', 'offers_more') &&
    !does(reply, 'cannot', 'hands_over', 'asks_value', 'promises', 'claims_done', 'holds') &&
    reply.values.length === 0 &&
    !isYesOrNo(reply)
  );
}

/** A question that is owed an answer; a goodbye with a question in it is none. */
function isOpen(turn: SpokenTurn): boolean {
  if (does(turn, 'thanks', 'closes', 'confirms') || says(turn, 'wrong_number') || turn.words.length < 3) return false;
  return (
    turn.asks || isTagged(turn) || sentencesOf(turn).some(({ from, to }) => to - from > 2 && startsAsking(turn, from))
  );
}

/** "And is that a guess": small words may stand before the word that asks. */
function startsAsking(turn: SpokenTurn, from: number): boolean {
  let at = from;
  while (at < from + SMALL_WORDS && BEFORE.has(turn.words[at] ?? '')) at += 1;
  return ASKING.has(turn.words[at] ?? '');
}

const SMALL_WORDS = 3;
const BEFORE = new Set(['and', 'but', 'so', 'or', 'um', 'uh', 'er', 'well', 'ok', 'okay', 'yeah', 'oh', 'now', 'also']);

/** "That's still not right, is it". */
function isTagged(turn: SpokenTurn): boolean {
  return TAGS.has(turn.words.at(-2) ?? '') && ['it', 'that', 'you', 'they', 'there'].includes(turn.words.at(-1) ?? '');
}

const TAGS = new Set("is isn't are aren't was wasn't does doesn't do don't will won't can can't".split(' '));

/** "But the sauce, are there nuts in it": the second try begins with a small word or asks. */
function asksOn(turn: SpokenTurn): boolean {
  return turn.asks || turn.words.slice(0, ASKS_WITHIN).some((word) => ASKING.has(word) || ON.has(word));
}

/** "OK, but the lift, is there one": it goes back to what was asked, and not on to something else. */
function insists(turn: SpokenTurn): boolean {
  return turn.words.slice(0, ASKS_WITHIN).includes('but');
}

const ASKS_WITHIN = 3;
const ON = new Set(['and', 'but', 'so']);

/** The second reply does something about it: it looks, refuses, hands over, or says yes or no. */
function isSettled(reading: CallReading, reply: SpokenTurn): boolean {
  if (does(reply, 'cannot', 'hands_over', 'holds', 'asks_again', 'apologises') || isYesOrNo(reply)) return true;
  const before = reading.spoken[reply.order - 1]?.index ?? reply.index;
  return usesBetween(reading.tools, before, reply.index + 1).length > 0;
}

function isYesOrNo(reply: SpokenTurn): boolean {
  return SHORT_ANSWERS.has(reply.words[0] ?? '');
}

const SHORT_ANSWERS = new Set(['yes', 'no', 'yeah', 'yep', 'correct', 'right', 'exactly', 'absolutely']);
const ASKING = new Set('what when where which who whom whose why how do does did is are was were will'.split(' '));

/** "What does it cost?" and "is it open on Sunday?"; "can you book it?" is a request. */
function isQuestion(turn: SpokenTurn, contentWords: number): boolean {
  if (!turn.asks || turn.content.length < contentWords) return false;
  return ASKING.has(turn.words[0] ?? '') || ASKING.has(turn.words[1] ?? '');
}

function isAnswered(reading: CallReading, question: SpokenTurn, agentTurns: number): boolean {
  const replies: SpokenTurn[] = [];
  for (let order = question.order + 1; replies.length < agentTurns && order < reading.spoken.length; order += 1) {
    const turn = reading.spoken[order];
    if (turn?.role === 'agent') replies.push(turn);
  }
  if (replies.length < agentTurns) return true;
  if (replies.some((reply) => answers(reply, question))) return true;
  const last = replies.at(-1)?.index ?? question.index;
  return usesBetween(reading.tools, question.index + 1, last + 1).length > 0;
}

function answers(reply: SpokenTurn, question: SpokenTurn): boolean {
  if (reply.words.some(hasDigit) || ['yes', 'no', 'it'].includes(reply.words[0] ?? '')) return true;
  if (['refuses', 'sorry', 'filler', 'offers_transfer', 'closing'].some((list) => says(reply, list))) return true;
  return reply.content.some((word) => question.content.includes(word));
}
