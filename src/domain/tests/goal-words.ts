import type { Turn } from '../calls/call.ts';
import { cleanText, hasWord, hasWords, wordsOf } from './plain.ts';

/** What a model says that a caller wants, and the words of the call that show it. */
export interface GoalWords {
  text: string;
  turn: number;
  quote: string;
}

const GOAL_AT_MOST = 160;
const QUOTE_AT_LEAST = 8;
const ADDRESS = /[a-z0-9+.-]:\/\/|www\./i;

/**
 * The model's words where they hold: the quote is an exact part of a turn of the caller, every number was said on the call,
 * and at least half of the longer words were. Else null, and the rules' words stay.
 */
export function checkGoalWords(turns: readonly Turn[], answer: GoalWords): GoalWords | null {
  const text = cleanText(answer.text, GOAL_AT_MOST);
  const quote = answer.quote.trim();
  const cited = turns.find(({ index, role }) => index === answer.turn && role === 'caller');
  if (!hasWord(text) || ADDRESS.test(text)) return null;
  if (quote.length < QUOTE_AT_LEAST || cited?.text.includes(quote) !== true) return null;
  const said = wordsOf(turns.map((turn) => turn.text).join(' '));
  const isSaid = (word: string) => hasWords(said, wordsOf(word));
  const words = wordsOf(text).trim().split(' ');
  const numbers = words.filter((word) => /\d/.test(word));
  const longer = words.filter((word) => word.length >= 4 && !/\d/.test(word));
  if (!numbers.every(isSaid) || longer.filter(isSaid).length * 2 < longer.length) return null;
  return { text, turn: answer.turn, quote };
}
