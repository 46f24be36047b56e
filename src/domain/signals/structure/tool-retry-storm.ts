import { quoteResult } from '../../calls/quotes.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import type { Detector } from '../catalogue-entry.ts';
import { TOOL_RETRY_STORM } from '../entries/tools.ts';
import { limit, missingTools } from '../needs.ts';
import { toolPlace } from '../places.ts';

/** The same tool was called again and again with the same arguments. */
export const toolRetryStorm: Detector = {
  entry: TOOL_RETRY_STORM,
  detect(reading, _input, thresholds) {
    const missing = missingTools(reading);
    if (missing !== null) return missing;
    const same = new Map<string, ToolUse[]>();
    for (const use of reading.tools) {
      // A key is pressed again at every menu.
      if (use.callTurn === null || use.effect === 'keys') continue;
      const key = `${use.name}\n${use.argsKey}`;
      const list = same.get(key);
      if (list === undefined) same.set(key, [use]);
      else list.push(use);
    }
    return [...same.values()].flatMap((uses) => {
      const last = uses.at(-1);
      // Asking again after a business said no is persistence; each no is noted as a blocked step.
      if (last === undefined || uses.length < limit(thresholds, 'sameCalls') || uses.every((use) => use.refusal))
        return [];
      return [
        {
          turnIndex: last.resultTurn ?? last.callTurn ?? 0,
          quote: last.resultTurn === null ? '' : quoteResult(last),
          detail: `"${last.name}" was called ${uses.length} times with the same arguments.`,
          place: toolPlace(last),
          confidence: 1,
          facts: { calls: uses.length, failed: uses.filter((use) => use.ok === false).length },
        },
      ];
    });
  },
};
