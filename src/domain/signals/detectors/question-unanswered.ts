import type { SpokenTurn } from '../../calls/spoken-turn.ts';
import { says } from '../../calls/spoken-turn.ts';
import { hasDigit } from '../../calls/text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import { quoteTurn } from '../quotes.ts';
import type { CallReading } from '../reading.ts';

/** A question of the caller whose words the agent's next turns do not take up: it may have gone unanswered. */
export const questionUnanswered: Detector = {
  entry: entry({
    code: 'question_unanswered',
    title: 'Question may be unanswered',
    klass: 'content',
    lane: 'understanding',
    severity: 'medium',
    thresholds: { contentWords: 2, agentTurns: 2 },
    needs: ['words_of_the_talk'],
    observation: true,
    isNot:
      'An answer in figures or in one word, a look-up for it, a refusal, a counter-question about the same thing, or a polite request put as a question.',
    check: 'Read the question and the two replies after it.',
  }),
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    return reading.caller
      .filter((turn) => isQuestion(turn, limit(thresholds, 'contentWords')))
      .filter((turn) => !isAnswered(reading, turn, limit(thresholds, 'agentTurns')))
      .map((turn) => ({
        turnIndex: turn.index,
        quote: quoteTurn(turn),
        detail: 'The next replies of the agent take up none of the words of this question.',
        place: placeAt(reading, turn.index),
        confidence: 0.6,
        candidate: true,
      }));
  },
};

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
  return reading.tools.some((use) => use.callTurn !== null && use.callTurn > question.index && use.callTurn <= last);
}

function answers(reply: SpokenTurn, question: SpokenTurn): boolean {
  if (reply.words.some(hasDigit) || ['yes', 'no', 'it'].includes(reply.words[0] ?? '')) return true;
  if (['refuses', 'sorry', 'filler', 'offers_transfer', 'closing'].some((list) => says(reply, list))) return true;
  return reply.content.some((word) => question.content.includes(word));
}
