import { does } from '../../acts/act.ts';
import { questionWordsOf } from '../../acts/lists/question-words-of.ts';
import { type SpokenTurn, says } from '../../calls/spoken-turn.ts';
import { usesBetween } from '../../calls/stretch.ts';
import { hasDigit } from '../../calls/text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { QUESTION_UNANSWERED } from '../entries/flow.ts';
import { evaded } from '../evaded-questions.ts';
import { limit, missingPhrases } from '../needs.ts';
import { putsRight } from '../off-topic.ts';
import {
  asksTwice,
  comesBackTo,
  insists,
  isOpenQuestion,
  isYesOrNo,
  mayAnswer,
  namesAgain,
  sharesMatter,
} from '../open-questions.ts';
import { placeAt } from '../places.ts';
import { quoteTurn } from '../quotes.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

/** A question of the caller that the agent does not answer. */
export const questionUnanswered: Detector = {
  entry: QUESTION_UNANSWERED,
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
          isQuestion(turn, reading.language, limit(thresholds, 'contentWords')) &&
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

/** The caller says so, comes back to it, or gets a courtesy for an answer. */
function whyUnanswered(reading: CallReading, reply: SpokenTurn): string | null {
  const before = reading.spoken[reply.order - 1];
  const after = reading.spoken[reply.order + 1];
  // "You have the wrong number": there is nothing to answer.
  if (says(reply, 'wrong_number')) return null;
  if (before?.role !== 'caller') return askedBefore(reading, reply);
  if (after?.role === 'caller' && saysUnanswered(reading, before, after) && !isYesOrNo(reading, reply))
    return `The caller says at turn ${after.index} that this is no answer.`;
  if (after?.role === 'caller' && isTurnedDown(reading, before, reply, after))
    return `The caller turns this reply down at turn ${after.index} and says again what they had asked about.`;
  if (isCourtesy(reading, reply) && isOpenQuestion(reading, before) && !sharesMatter(reading, before, reply))
    return `To the question at turn ${before.index} the agent only says something polite.`;
  return notTakenUp(reading, reply, before);
}

/** "No no, it's a bicycle": the reply was about another thing, and the one that was meant is named again. */
function isTurnedDown(reading: CallReading, before: SpokenTurn, reply: SpokenTurn, after: SpokenTurn): boolean {
  if (!(isOpenQuestion(reading, before) || does(before, 'requests')) || reply.asks || isYesOrNo(reading, reply))
    return false;
  if (says(reply, 'asks_for') || reply.words.some((word) => PLEASE.has(word)) || reply.values.length > 0) return false;
  if (does(reply, 'cannot', 'asks_again', 'asks_value', 'holds', 'claims_done', 'promises', 'offers')) return false;
  if (after.asks || !saysNoAlone(after) || does(after, 'thanks', 'closes') || after.words.length < WORDS_OF_A_NO)
    return false;
  return namesAgain(reading, before, reply, after);
}

/** "No no, it's a bike", "what no. paint": a no by itself, and not the one of "no hot water". */
function saysNoAlone(turn: SpokenTurn): boolean {
  const at = turn.hits.find(({ list, from }) => list === 'no' && from <= 1)?.from ?? -1;
  if (at < 0) return false;
  const gap = turn.turn.text.slice(turn.ends[at] ?? 0, turn.starts[at + 1] ?? 0);
  return /[,.!]/.test(gap) || turn.words[at + 1] === turn.words[at];
}

const PLEASE = new Set(['please', 'tell', 'describe', 'bitte', 'beschreiben', 'dígame', 'favor', "s'il", 'dites']);
const WORDS_OF_A_NO = 4;

/** Who puts a value right had given it, and not asked. */
function saysUnanswered(reading: CallReading, before: SpokenTurn, after: SpokenTurn): boolean {
  if (says(after, 'glad')) return false;
  return says(after, 'not_answered') && (!putsRight(after) || isOpenQuestion(reading, before));
}

/** The agent may say "one moment" between the question and the reply. */
function askedBefore(reading: CallReading, reply: SpokenTurn): string | null {
  const [question, between] = [reading.spoken[reply.order - 2], reading.spoken[reply.order - 1]];
  return question?.role === 'caller' && does(between, 'holds') ? notTakenUp(reading, reply, question) : null;
}

function notTakenUp(reading: CallReading, reply: SpokenTurn, question: SpokenTurn): string | null {
  return (
    priceEvaded(reading, reply, question) ??
    inVain(reading, reply, question) ??
    passedOver(reading, reply, question) ??
    evaded(reading, reply, question)
  );
}

/** What it costs was asked for the third time at least, in whatever words, and no reply had an amount, a no or a look-up. */
function priceEvaded(reading: CallReading, reply: SpokenTurn, question: SpokenTurn): string | null {
  if (!says(question, 'asks_price') || tellsPrice(reading, reply)) return null;
  if (reply.asks && !(does(reply, 'offers', 'offers_more') || says(reply, 'offers_action'))) return null;
  const lately = reading.spoken.slice(Math.max(0, question.order - PRICE_TURNS_BACK), question.order + 1);
  const last = lately.findLastIndex((one) => one.role === 'agent' && tellsPrice(reading, one));
  const times = lately.slice(last + 1).filter((one) => one.role === 'caller' && says(one, 'asks_price')).length;
  return times < PRICE_ASKED_AT_LEAST ? null : `The caller asks what it costs ${times} times, and no reply says it.`;
}

const PRICE_ASKED_AT_LEAST = 3;
const PRICE_TURNS_BACK = 20;

function tellsPrice(reading: CallReading, reply: SpokenTurn): boolean {
  return (
    reply.values.some(({ kind }) => kind === 'money' || kind === 'number') ||
    reply.words.some((word) => FREE.has(word)) ||
    does(reply, 'cannot', 'hands_over', 'calls_back', 'asks_again') ||
    isLookedUp(reading, reply)
  );
}

const FREE = new Set(
  'free included nothing complimentary us kostenlos gratis umsonst inklusive nichts incluido nada gratuit gratuite compris offert'.split(
    ' ',
  ),
);

/** The second try, and this reply does not take it up either. */
function inVain(reading: CallReading, reply: SpokenTurn, question: SpokenTurn): string | null {
  const back = comesBackTo(reading, question);
  if (
    back === null ||
    sharesMatter(reading, question, reply) ||
    mayAnswer(reading, question, reply) ||
    isLookedUp(reading, reply)
  )
    return null;
  return `The caller asks about "${back.word}" for the second time, and no reply takes it up.`;
}

/** A statement in the place of the answer, and the caller comes back to the question. */
function passedOver(reading: CallReading, reply: SpokenTurn, question: SpokenTurn): string | null {
  const after = reading.spoken[reply.order + 1];
  if (after?.role !== 'caller' || (does(reply, 'asks', 'asks_value') && !insists(reading, after))) return null;
  const back = comesBackTo(reading, after);
  if (asksTwice(question) && reply.values.length > 0) return null;
  if (back === null || back.question !== question || does(reply, 'holds')) return null;
  // Who insists had no answer, however much the reply sounds like one.
  if (insists(reading, after) ? turnsAway(reply) : mayAnswer(reading, question, reply)) return null;
  return `The caller has to come back to "${back.word}" at turn ${after.index}: this reply passes over it.`;
}

function turnsAway(reply: SpokenTurn): boolean {
  return does(reply, 'cannot', 'hands_over', 'asks_again', 'calls_back');
}

/** Nothing but thanks, a goodbye or "anything else?". */
function isCourtesy(reading: CallReading, reply: SpokenTurn): boolean {
  return (
    does(reply, 'closes', 'offers_more') &&
    !isNoMore(reading, reply) &&
    !does(reply, 'cannot', 'hands_over', 'asks_value', 'promises', 'claims_done', 'holds') &&
    reply.values.length === 0 &&
    reply.words.length <= COURTESY_WORDS &&
    !isYesOrNo(reading, reply)
  );
}

/** The caller's no to "anything else?" asks for nothing, whatever words stand behind it. */
function isNoMore(reading: CallReading, reply: SpokenTurn): boolean {
  const [offer, answer] = [reading.spoken[reply.order - 2], reading.spoken[reply.order - 1]];
  return does(offer, 'offers_more') && answer?.asks === false && does(answer, 'denies');
}

const COURTESY_WORDS = 14;

function isLookedUp(reading: CallReading, reply: SpokenTurn): boolean {
  const before = reading.spoken[reply.order - 1]?.index ?? reply.index;
  return does(reply, 'holds') || usesBetween(reading.tools, before, reply.index + 1).length > 0;
}

/** "What does it cost?" and "is it open on Sunday?"; "can you book it?" is a request. */
function isQuestion(turn: SpokenTurn, language: string | null, contentWords: number): boolean {
  if (!turn.asks || turn.content.length < contentWords) return false;
  const { asks } = questionWordsOf(language);
  return asks.has(turn.words[0] ?? '') || asks.has(turn.words[1] ?? '');
}

function isAnswered(reading: CallReading, question: SpokenTurn, agentTurns: number): boolean {
  const replies: SpokenTurn[] = [];
  for (let order = question.order + 1; replies.length < agentTurns && order < reading.spoken.length; order += 1) {
    const turn = reading.spoken[order];
    if (turn?.role === 'agent') replies.push(turn);
  }
  if (replies.length < agentTurns) return true;
  if (replies.some((reply) => answers(reading, reply, question))) return true;
  const last = replies.at(-1)?.index ?? question.index;
  return usesBetween(reading.tools, question.index + 1, last + 1).length > 0;
}

function answers(reading: CallReading, reply: SpokenTurn, question: SpokenTurn): boolean {
  if (reply.words.some(hasDigit) || isYesOrNo(reading, reply)) return true;
  if (['refuses', 'sorry', 'filler', 'offers_transfer', 'closing'].some((list) => says(reply, list))) return true;
  return reply.content.some((word) => question.content.includes(word));
}
