import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { ledgerDetections } from '../ledger-detections.ts';
import { firstMissing, missingPhrases, missingTools } from '../needs.ts';
import { placeAt } from '../places.ts';
import { undoneDeeds } from '../undone-deeds.ts';

/** The agent says that something is done, and no tool was called that could have done it. */
export const claimedWithoutTool: Detector = {
  entry: entry({
    code: 'claimed_without_tool',
    title: 'Success claimed without a tool',
    klass: 'content',
    lane: 'integrations',
    severity: 'critical',
    needs: ['words_of_the_talk', 'tool_results'],
    isNot: 'A state that the agent looked up and reads out, a promise, a question, or a repeated confirmation.',
    causes: [
      {
        code: 'no_such_tool',
        label: 'The agent has no tool for what it claims',
        category: 'missing_tool',
        party: 'agent',
        outside: false,
        recommendation: 'Give the agent a tool for this, or forbid at {place} to confirm it.',
        evidence: (facts) =>
          facts['hasTool'] === false ? "None of the agent's tools does what it says it did." : null,
      },
      {
        code: 'tool_not_called',
        label: 'The agent confirms without calling its tool',
        category: 'instruction_breach',
        party: 'agent',
        outside: false,
        recommendation: 'Write at {place}: confirm only after the tool has answered with success.',
        evidence: (facts) =>
          facts['hasTool'] === true ? `The agent has "${String(facts['tool'])}" and did not call it.` : null,
      },
    ],
    check: 'Find out at {place} whether the agent could have done what it says: which tool, and why it was not called.',
  }),
  detect(reading) {
    const missing = firstMissing(missingTools(reading), missingPhrases(reading));
    if (missing !== null) return missing;
    const claimed = reading
      .claims()
      .filter((claim) => claim.verdict === 'unbacked')
      .map((claim) => {
        const tools = reading.configuration?.tools ?? null;
        const tool = tools?.find((one) => claim.does(one.name))?.name ?? null;
        return {
          turnIndex: claim.turn,
          quote: claim.text,
          detail: 'The agent says that it is done; no tool result of this call backs it.',
          place: placeAt(reading, claim.turn),
          confidence: 0.6,
          facts: { kind: claim.kind, hasTool: tools === null || tools.length === 0 ? null : tool !== null, tool },
        };
      });
    // A claim after a failure is a fault of its own: there the tool was called.
    const known = new Set(reading.claims().flatMap((claim) => (claim.verdict === 'backed' ? [] : [claim.turn])));
    const others = [...ledgerDetections(reading, 'claimed_without_tool'), ...undoneDeeds(reading)].filter(
      ({ turnIndex }) => !known.has(turnIndex) && known.add(turnIndex),
    );
    return [...claimed, ...others].sort((a, b) => a.turnIndex - b.turnIndex);
  },
};
