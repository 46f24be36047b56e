import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { ledgerDetections } from '../ledger-detections.ts';
import { firstMissing, missingPhrases, missingTools } from '../needs.ts';
import { textOf } from '../tool-causes.ts';

/** An action that the caller confirmed, or a look-up that the agent says it can't do, for which its tool was never called. */
export const toolMissing: Detector = {
  entry: entry({
    code: 'tool_missing',
    title: 'Tool not used where it was due',
    klass: 'content',
    lane: 'integrations',
    severity: 'high',
    needs: ['words_of_the_talk', 'tool_results'],
    isNot: 'An action that the caller took back, that the agent refused, or that another tool did.',
    causes: [
      {
        code: 'tool_thought_unable',
        label: 'The agent does not know what its tool can do',
        category: 'intent_plan_misalignment',
        party: 'agent',
        outside: false,
        recommendation: 'Say in the description of the tool what it shows, and in the prompt when it is to be used.',
        evidence: (facts) =>
          facts['rule'] === 'look_up_unused' ? `It has "${textOf(facts['tool'])}" and says that it can't look.` : null,
      },
    ],
    check: 'See at {place} why the tool was not called: what the prompt says of it, and what the agent did instead.',
  }),
  detect(reading) {
    const missing = firstMissing(missingTools(reading), missingPhrases(reading));
    return missing ?? ledgerDetections(reading, 'tool_missing');
  },
};
