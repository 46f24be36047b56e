import type { ToolUse } from '../../calls/tool-uses.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingTools } from '../needs.ts';
import { toolPlace } from '../places.ts';
import { quoteResult } from '../quotes.ts';

/** The same tool was called again and again with the same arguments. */
export const toolRetryStorm: Detector = {
  entry: entry({
    code: 'tool_retry_storm',
    title: 'Tool called again and again',
    klass: 'technical',
    lane: 'integrations',
    severity: 'medium',
    thresholds: { sameCalls: 3 },
    needs: ['tool_results'],
    fact: true,
    isNot: 'One retry, or calls of one tool with different arguments.',
    causes: [
      {
        code: 'retries_after_failure',
        label: 'The agent repeats a call that fails',
        category: 'instruction_gap',
        party: 'agent',
        outside: false,
        recommendation: 'Say how often {place} may be tried, and what the agent does then.',
        evidence: (facts) => (facts['failed'] === facts['calls'] ? 'Every one of these calls failed.' : null),
      },
      {
        code: 'repeats_answered_call',
        label: 'The agent asks again for what it was told',
        category: 'misread_tool_result',
        party: 'agent',
        outside: false,
        recommendation:
          'Let {place} answer in a form that the agent can use at once, and say in the prompt to use the last answer.',
        evidence: (facts) =>
          facts['failed'] === 0 ? 'The tool had answered the same call before, and answered again.' : null,
      },
    ],
    check: 'Look at what {place} answered between these calls.',
  }),
  detect(reading, _input, thresholds) {
    const missing = missingTools(reading);
    if (missing !== null) return missing;
    const same = new Map<string, ToolUse[]>();
    for (const use of reading.tools) {
      if (use.callTurn === null) continue;
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
