import type { ToolUse } from '../calls/tool-uses.ts';
import { readValues } from '../calls/values/read-values.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { hasWords } from './plain.ts';

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
  const values = lines.flatMap((line) => readValues(line));
  const dates = new Set(values.flatMap(({ kind, forms }) => (kind === 'date' ? forms : [])));
  const isStable = (use: ToolUse, text: string): boolean => {
    const date = FULL_DATE.exec(text)?.[0];
    if (date !== undefined) return dates.has(date) || isAnsweredBefore(use, uses, date);
    return !/\s/.test(text.trim()) || lines.some((line) => hasWords(line, text)) || isAnsweredBefore(use, uses, text);
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

/** A result that only gives back what its tool was asked with brings nothing new. */
function isAnsweredBefore({ callTurn }: ToolUse, uses: readonly ToolUse[], text: string): boolean {
  if (callTurn === null) return false;
  return uses.some(
    ({ resultTurn, args, body }) =>
      resultTurn !== null &&
      resultTurn < callTurn &&
      JSON.stringify(body).includes(text) &&
      !JSON.stringify(args).includes(text),
  );
}

function isShort(value: Json): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  return typeof value === 'string' && value !== '' && value.length <= 60 && value.split(/\s+/).length <= WORDS_AT_MOST;
}
