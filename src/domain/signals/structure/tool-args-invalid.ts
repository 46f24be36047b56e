import { quoteResult, quoteTurn } from '../../calls/quotes.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import { isJsonObject } from '../../json.ts';
import type { Detector } from '../catalogue-entry.ts';
import { TOOL_ARGS_INVALID } from '../entries/tools.ts';
import { checkArguments } from '../json-schema.ts';
import { toolPlace } from '../places.ts';

/** The agent called a tool with arguments that its own description does not allow. */
export const toolArgsInvalid: Detector = {
  entry: TOOL_ARGS_INVALID,
  detect(reading) {
    const judged = reading.tools.filter((use) => use.callTurn !== null && isJsonObject(use.definition?.parameters));
    if (judged.length === 0) return { reason: 'The schema of no tool that was called on this call is known.' };
    return judged.flatMap((use) => {
      // A tool that did its work, or whose business said no, took the arguments, whatever its description says; and one
      // that is down says nothing about them.
      if (use.ok === true || use.denied || isDown(use)) return [];
      const faults = checkArguments(use.definition?.parameters ?? null, use.args);
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

const isDown = ({ httpStatus, errorType, message }: ToolUse) =>
  errorType === 'timeout' || (httpStatus ?? 0) >= 500 || /\b(?:unavailable|timed out|time-?out)\b/i.test(message ?? '');
