import { says } from '../../acts/spoken-turn.ts';
import { quoteResult, storedText } from '../../calls/quotes.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import type { Detector } from '../catalogue-entry.ts';
import { TOOL_CALL_REPEATED } from '../entries/tools.ts';
import { missingTools } from '../needs.ts';
import { toolPlace } from '../places.ts';
import type { CallReading } from '../reading.ts';

/** The agent looks up again what it has already been told. */
export const toolCallRepeated: Detector = {
  entry: TOOL_CALL_REPEATED,
  detect(reading) {
    const missing = missingTools(reading);
    if (missing !== null) return missing;
    const answered = new Map<string, ToolUse>();
    return reading.tools.flatMap((use) => {
      // What was known before something was changed need not hold any more.
      if (use.effect === 'write' && use.ok !== false && !use.refusal) answered.clear();
      if (use.effect !== 'read' && use.effect !== 'unknown') return [];
      if (use.resultTurn === null || use.callTurn === null || use.ok === false) return [];
      const key = `${use.name} ${use.argsKey}`;
      const first = answered.get(key);
      answered.set(key, use);
      if (first === undefined || storedText(first.body) !== storedText(use.body) || wasAskedFor(reading, use))
        return [];
      return [
        {
          turnIndex: use.resultTurn,
          quote: quoteResult(use),
          detail: `"${use.name}" was called with the same arguments as at turn ${first.callTurn}, nothing was changed in between, and it answered the same.`,
          place: toolPlace(use),
          confidence: 1,
        },
      ];
    });
  },
};

/** "Can you check again?" */
function wasAskedFor(reading: CallReading, use: ToolUse): boolean {
  const turn = use.callTurn ?? 0;
  const asked = reading.caller.findLast((one) => one.index < turn);
  return asked !== undefined && (asked.words.includes('again') || says(asked, 'denies_success'));
}
