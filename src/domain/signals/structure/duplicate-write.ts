import { quoteResult, storedText } from '../../calls/quotes.ts';
import type { ToolUse } from '../../calls/tool-uses.ts';
import type { Detector } from '../catalogue-entry.ts';
import { DUPLICATE_WRITE } from '../entries/tools.ts';
import { missingVerdicts } from '../needs.ts';
import { toolPlace } from '../places.ts';

/** The same thing was written twice: two bookings, two refunds. */
export const duplicateWrite: Detector = {
  entry: DUPLICATE_WRITE,
  detect(reading) {
    const missing = missingVerdicts(reading);
    if (missing !== null) return missing;
    const done = new Map<string, ToolUse>();
    const found: ToolUse[][] = [];
    for (const use of reading.tools) {
      if (use.effect !== 'write' || use.ok !== true || use.refusal || use.resultTurn === null) continue;
      if (use.nameWords.some((word) => UNDOES.has(word))) {
        // After an undo the same action is wanted again; what was undone is not known, so all is forgotten.
        if (!done.has(keyOf(use))) done.clear();
      }
      const before = done.get(keyOf(use));
      if (before !== undefined) found.push([before, use]);
      done.set(keyOf(use), use);
    }
    return found.flatMap(([first, second]) => {
      if (first === undefined || second === undefined) return [];
      return [
        {
          turnIndex: second.resultTurn ?? 0,
          quote: quoteResult(second),
          detail: `"${second.name}" succeeded twice with equal arguments (turns ${first.resultTurn} and ${second.resultTurn}).`,
          place: toolPlace(second),
          confidence: 1,
          facts: { differs: storedText(first.body) !== storedText(second.body) },
        },
      ];
    });
  },
};

const UNDOES = new Set(['cancel', 'delete', 'remove', 'undo', 'revert', 'void']);

function keyOf(use: ToolUse): string {
  return `${use.name}\n${use.argsKey}`;
}
