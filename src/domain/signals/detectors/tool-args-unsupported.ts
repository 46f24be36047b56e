import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { ledgerDetections } from '../ledger-detections.ts';
import { firstMissing, missingPhrases, missingTools } from '../needs.ts';
import { textOf } from '../tool-causes.ts';

/** A tool was given a value that nobody had said, looked up or configured, or a choice that nobody had made. */
export const toolArgsUnsupported: Detector = {
  entry: entry({
    code: 'tool_args_unsupported',
    title: 'Tool called with a value from nowhere',
    klass: 'content',
    lane: 'integrations',
    severity: 'high',
    needs: ['words_of_the_talk', 'tool_results'],
    isNot:
      'A value that was said in other words, letter by letter, or that differs by a letter or two: that is a hearing matter.',
    causes: [
      {
        code: 'choice_not_asked',
        label: 'The agent chooses what its prompt tells it to ask for',
        category: 'instruction_breach',
        party: 'agent',
        outside: false,
        recommendation: 'Make the argument of {place} one that the agent may only fill with what the caller has named.',
        evidence: (facts) =>
          facts['rule'] === 'never_chosen' && facts['ordered'] !== null && facts['ordered'] !== undefined
            ? `The prompt says: ${textOf(facts['ordered'])}`
            : null,
      },
    ],
    check: 'Find out where the agent has the value for {place} from.',
  }),
  detect(reading) {
    const missing = firstMissing(missingTools(reading), missingPhrases(reading));
    return missing ?? ledgerDetections(reading, 'tool_args_unsupported');
  },
};
