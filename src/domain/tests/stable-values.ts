import type { ToolUse } from '../calls/tool-uses.ts';
import { readValues } from '../calls/values/read-values.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** Arguments of a use that come out the same when the call is played again. Null where there are none. */
export type StableArguments = (use: ToolUse) => JsonObject | null;

const WORDS_AT_MOST = 5;
const FULL_DATE = /\d{4}-\d\d-\d\d/;

/**
 * Values of few words: a text that the agent put into its own words would not come out the same twice. A date counts only
 * where the caller said it with its year, or an earlier tool answered with it: "Tuesday" is another day next week.
 */
export function stableArguments(lines: readonly string[], uses: readonly ToolUse[]): StableArguments {
  const dates = new Set(
    lines.flatMap((line) => readValues(line).flatMap(({ kind, forms }) => (kind === 'date' ? forms : []))),
  );
  const isKnown = (use: ToolUse, date: string) =>
    dates.has(date) || resultsBefore(use, uses).some(({ body }) => JSON.stringify(body).includes(date));
  return (use) => {
    if (!isJsonObject(use.args)) return null;
    const kept = Object.entries(use.args).filter(([name, value]) => {
      if (name.length > 200 || !isValue(value)) return false;
      const date = typeof value === 'string' ? FULL_DATE.exec(value)?.[0] : undefined;
      return date === undefined || isKnown(use, date);
    });
    return kept.length === 0 ? null : Object.fromEntries(kept);
  };
}

function resultsBefore(use: ToolUse, uses: readonly ToolUse[]): ToolUse[] {
  const at = use.callTurn;
  return at === null ? [] : uses.filter(({ resultTurn }) => resultTurn !== null && resultTurn < at);
}

function isValue(value: Json): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  return typeof value === 'string' && value !== '' && value.length <= 60 && value.split(/\s+/).length <= WORDS_AT_MOST;
}
