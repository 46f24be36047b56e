import { does } from '../acts/act.ts';
import { type SpokenTurn, says } from '../calls/spoken-turn.ts';
import { usesBetween } from '../calls/stretch.ts';
import {
  comesBackTo,
  holdsQuestion,
  insists,
  isOpenQuestion,
  isYesOrNo,
  mayAnswer,
  sharesMatter,
} from './open-questions.ts';
import type { CallReading } from './reading.ts';

/** Why a reply evades the question before it, as what the caller says before or after it shows; null where nothing shows it. */
export function evaded(reading: CallReading, reply: SpokenTurn, question: SpokenTurn): string | null {
  const after = reading.spoken[reply.order + 1];
  if (after?.role === 'caller' && isDemand(reading, after) && isPutOff(reading, reply, question))
    return `The caller has to insist at turn ${after.index}: this reply passes over the question.`;
  return insistedInVain(reading, reply, question);
}

/** Neither yes nor no, no refusal and no look-up; a question only where it asks for nothing that the answer needs. */
function isPutOff(reading: CallReading, reply: SpokenTurn, question: SpokenTurn): boolean {
  if (!isOpenQuestion(reading, question) || isYesOrNo(reading, reply)) return false;
  if (does(reply, 'asks_value', 'holds', 'cannot', 'hands_over', 'asks_again', 'calls_back', 'claims_done'))
    return false;
  return (!reply.asks || does(reply, 'offers', 'offers_more')) && !isLookedUp(reading, question, reply);
}

function isLookedUp(reading: CallReading, question: SpokenTurn, reply: SpokenTurn): boolean {
  return usesBetween(reading.tools, question.index, reply.index + 1).length > 0;
}

function isUnrelated(reading: CallReading, reply: SpokenTurn, question: SpokenTurn): boolean {
  if (does(reply, 'asks_value', 'holds', 'promises', 'claims_done') || mayAnswer(reading, question, reply))
    return false;
  if (reply.asks && !does(reply, 'offers', 'offers_more')) return false;
  return !sharesMatter(reading, question, reply) && !isLookedUp(reading, question, reply);
}

/** "That was not my question", "but the lift": there is a question behind it. */
function isDemand(reading: CallReading, turn: SpokenTurn): boolean {
  if (does(turn, 'gives_up') || says(turn, 'glad')) return false;
  if (says(turn, 'not_answered') || says(turn, 'asks_anew')) return true;
  const presses = says(turn, 'presses') && turn.words.length <= WORDS_OF_A_PRESS;
  return (presses || insists(reading, turn)) && !does(turn, 'thanks', 'closes');
}

/** Longer turns ask something new: "and do I bring a card or not". */
const WORDS_OF_A_PRESS = 8;

/** The caller had to ask for the answer, and still this is none. */
function insistedInVain(reading: CallReading, reply: SpokenTurn, demand: SpokenTurn): string | null {
  const before = reading.spoken[demand.order - 1];
  if (before?.role !== 'agent' || demand.order < TURNS_OF_A_QUESTION || !isDemand(reading, demand)) return null;
  const asked = reading.spoken[demand.order - 2];
  if (asked?.role !== 'caller' || !(holdsQuestion(reading, asked) || comesBackTo(reading, demand) !== null))
    return null;
  if (!isUnrelated(reading, reply, demand) || sharesMatter(reading, asked, reply)) return null;
  return `The caller had to insist on an answer at turn ${demand.index}, and this reply gives none.`;
}

const TURNS_OF_A_QUESTION = 2;
