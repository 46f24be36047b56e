import { isJsonObject, type Json } from '../../json.ts';
import type { Detector } from '../catalogue-entry.ts';
import { TOOL_ARGS_INVALID } from '../entries/tools.ts';
import { checkArguments } from '../json-schema.ts';
import { toolPlace } from '../places.ts';
import { quoteResult, quoteTurn } from '../quotes.ts';

/** The agent called a tool with arguments that its own description does not allow. */
export const toolArgsInvalid: Detector = {
  entry: TOOL_ARGS_INVALID,
  detect(reading) {
    const judged = reading.tools.filter((use) => use.callTurn !== null && isJsonObject(use.definition?.parameters));
    if (judged.length === 0) return { reason: 'The schema of no tool that was called on this call is known.' };
    return judged.flatMap((use) => {
      const faults = checkArguments(use.definition?.parameters ?? null, use.args);
      // A tool that took an empty text and did its work needed no more.
      if (use.ok === true && !use.refusal)
        faults.missing = faults.missing.filter((name) => !isEmptyText(use.args, name));
      const names = [...faults.missing, ...faults.wrongType, ...faults.notAllowed];
      if (names.length === 0) return [];
      const spoken = reading.spokenAt.get(use.callTurn ?? -1);
      return [
        {
          turnIndex: use.resultTurn ?? use.callTurn ?? 0,
          quote: use.resultTurn !== null ? quoteResult(use) : spoken === undefined ? '' : quoteTurn(spoken),
          detail: `"${use.name}" was called with wrong or missing arguments: ${names.slice(0, 8).join(', ')}.`,
          place: toolPlace(use),
          confidence: 1,
          facts: { ...faults },
        },
      ];
    });
  },
};

function isEmptyText(args: Json, name: string): boolean {
  const value = isJsonObject(args) ? args[name] : undefined;
  return typeof value === 'string' && value.trim() === '';
}
