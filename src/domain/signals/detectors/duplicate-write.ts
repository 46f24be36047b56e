import type { ToolUse } from '../../calls/tool-uses.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { missingTools } from '../needs.ts';
import { toolPlace } from '../places.ts';
import { quoteResult, storedText } from '../quotes.ts';

/** The same thing was written twice: two bookings, two refunds. */
export const duplicateWrite: Detector = {
  entry: entry({
    code: 'duplicate_write',
    title: 'Same action done twice',
    klass: 'technical',
    lane: 'integrations',
    severity: 'high',
    needs: ['tool_results'],
    fact: true,
    isNot: 'Look-ups, a retry after a failure, or the same action after it was undone.',
    causes: [
      {
        code: 'no_guard_against_repeat',
        label: 'The tool does the same thing again when it is asked again',
        category: 'missing_guard',
        party: 'tool_owner',
        outside: false,
        recommendation: 'Let {place} recognise a repeated request by its key values and answer with the first result.',
        evidence: (facts) =>
          facts['differs'] === true ? 'Both calls had equal arguments and the tool gave two different results.' : null,
      },
    ],
    check: 'See whether {place} did its work twice on these calls, and what was said between.',
  }),
  detect(reading) {
    const missing = missingTools(reading);
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
