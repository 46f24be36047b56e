import type { ToolUse } from '../calls/tool-uses.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { readValues } from '../values/read-values.ts';
import { hasWords, wordsOf } from './plain.ts';

/** Arguments of a use that come out the same when the call is played again. Null where there are none. */
export type StableArguments = (use: ToolUse) => JsonObject | null;

const WORDS_AT_MOST = 5;
const FULL_DATE = /\d{4}-\d\d-\d\d/;

/**
 * Values of few words: single ones, and those of more words that the caller said or an earlier tool answered with, because
 * what the agent put into its own words would not come out the same twice. A date counts only where the caller said it
 * with its year, or an earlier tool answered with it unasked: "Tuesday" is another day next week.
 */
export function stableArguments(lines: readonly string[], uses: readonly ToolUse[]): StableArguments {
  const heard = lines.map(wordsOf);
  const isAnsweredBefore = answersOf(uses);
  const values = lines.flatMap((line) => readValues(line));
  const dates = new Set(values.flatMap(({ kind, forms }) => (kind === 'date' ? forms : [])));
  const isStable = (use: ToolUse, text: string): boolean => {
    const date = FULL_DATE.exec(text)?.[0];
    if (date !== undefined) return dates.has(date) || isAnsweredBefore(use, date);
    if (!/\s/.test(text.trim())) return true;
    const words = wordsOf(text);
    return heard.some((line) => hasWords(line, words)) || isAnsweredBefore(use, text);
  };
  return (use) => {
    if (!isJsonObject(use.args)) return null;
    const kept = Object.entries(use.args).filter(
      ([name, value]) => isName(name) && isShort(value) && (typeof value !== 'string' || isStable(use, value)),
    );
    return kept.length === 0 ? null : Object.fromEntries(kept);
  };
}

/** A request could not bring the others back. */
const isName = (name: string) => name.length <= 200 && name !== '__proto__';

/** Beyond these, a value that is looked for counts as not answered: a crafted record must not hold up whoever reads it. */
const TEXTS_AT_MOST = 200;
const ANSWERS_AT_MOST_CHARS = 1_000_000;

/**
 * Whether an earlier result brought a text. One that only gives back what its tool was asked with brings nothing new. Each
 * result is written out once, and each text is looked for once.
 */
function answersOf(uses: readonly ToolUse[]): (use: ToolUse, text: string) => boolean {
  const answers: { turn: number; body: string; args: string }[] = [];
  let left = ANSWERS_AT_MOST_CHARS;
  for (const { resultTurn, body, args } of uses) {
    if (resultTurn === null) continue;
    const answer = { turn: resultTurn, body: JSON.stringify(body), args: JSON.stringify(args) };
    left -= answer.body.length + answer.args.length;
    if (left < 0) break;
    answers.push(answer);
  }
  const firstTurns = new Map<string, number>();
  const firstTurnOf = (text: string): number => {
    const turns = answers
      .filter(({ body, args }) => body.includes(text) && !args.includes(text))
      .map(({ turn }) => turn);
    return turns.reduce((first, turn) => Math.min(first, turn), Number.POSITIVE_INFINITY);
  };
  return ({ callTurn }, text) => {
    if (callTurn === null) return false;
    let first = firstTurns.get(text);
    if (first === undefined) {
      if (firstTurns.size >= TEXTS_AT_MOST) return false;
      first = firstTurnOf(text);
      firstTurns.set(text, first);
    }
    return first < callTurn;
  };
}

function isShort(value: Json): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  return typeof value === 'string' && value !== '' && value.length <= 60 && value.split(/\s+/).length <= WORDS_AT_MOST;
}
