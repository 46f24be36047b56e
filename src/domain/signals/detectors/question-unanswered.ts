import { questionWordsOf } from '../../acts/lists/question-words-of.ts';
import { type SpokenTurn, says } from '../../calls/spoken-turn.ts';
import { usesBetween } from '../../calls/stretch.ts';
import { hasDigit } from '../../calls/text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { QUESTION_UNANSWERED } from '../entries/flow.ts';
import { limit, missingPhrases } from '../needs.ts';
import { putsRight } from '../off-topic.ts';
import { isOpenQuestion, isYesOrNo } from '../open-questions.ts';
import { placeAt } from '../places.ts';
import { quoteTurn } from '../quotes.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

/** A question of the caller that the agent does not answer: the caller says so, or no reply takes it up. */
export const questionUnanswered: Detector = {
  entry: QUESTION_UNANSWERED,
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    const told = reading.agent.flatMap((reply) => {
      const after = saidUnanswered(reading, reply);
      return after === null
        ? []
        : [made(reading, reply, `The caller says at turn ${after.index} that this is no answer.`)];
    });
    const known = new Set(told.map(({ turnIndex }) => turnIndex));
    const passed = reading.caller
      .filter(
        (turn) =>
          isQuestion(turn, reading.language, limit(thresholds, 'contentWords')) &&
          !known.has((reading.spoken[turn.order + 1] ?? turn).index),
      )
      .filter((turn) => !isAnswered(reading, turn, limit(thresholds, 'agentTurns')))
      .map((turn) => made(reading, turn, 'The next replies of the agent take up none of the words of this question.'));
    return [...told, ...passed].sort((a, b) => a.turnIndex - b.turnIndex);
  },
};

function made(reading: CallReading, turn: SpokenTurn, detail: string): Detection {
  return {
    turnIndex: turn.index,
    quote: quoteTurn(turn),
    detail,
    place: placeAt(reading, turn.index),
    confidence: 0.6,
  };
}

/** The caller's turn behind a reply that says so. Who puts a value right had given it, and not asked. */
function saidUnanswered(reading: CallReading, reply: SpokenTurn): SpokenTurn | null {
  const [before, after] = [reading.spoken[reply.order - 1], reading.spoken[reply.order + 1]];
  // "You have the wrong number": there is nothing to answer.
  if (before?.role !== 'caller' || after?.role !== 'caller' || says(reply, 'wrong_number')) return null;
  if (says(after, 'glad') || !says(after, 'not_answered') || isYesOrNo(reading, reply)) return null;
  return !putsRight(after) || isOpenQuestion(reading, before) ? after : null;
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
