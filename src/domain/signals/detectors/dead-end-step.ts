import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { missingNodes } from '../needs.ts';
import { quoteTurn } from '../quotes.ts';

/** Outcomes that say nothing about the step: a refusal that was accepted, a change of mind, or no evidence in any one turn. */
const SETTLED = new Set(['refused_and_accepted', 'nothing_decides', 'caller_gave_up', 'outweighed']);

/** The call ended at a step of the flow with the caller's goal still open. */
export const deadEndStep: Detector = {
  entry: entry({
    code: 'dead_end_step',
    title: 'Call ends with the goal open',
    klass: 'flow',
    lane: 'flow',
    severity: 'medium',
    needs: ['flow_nodes', 'end_reason'],
    ending: true,
    isNot:
      'A caller who hangs up mid-task (that is `caller_left_mid_task`), or a business refusal that the caller accepts.',
    causes: [
      {
        code: 'no_way_on',
        label: 'The step leads nowhere',
        category: 'missing_path',
        party: 'agent',
        outside: false,
        recommendation: 'Give {place} an edge to a step that can meet the goal or hand over.',
        evidence: (facts) =>
          facts['edges'] === 0 ? 'The step has no edge in this version and is not an end step.' : null,
      },
    ],
    check: 'Read what {place} can do next, and what these callers still wanted.',
  }),
  detect(reading) {
    const missing = missingNodes(reading);
    if (missing !== null) return missing;
    const { outcome, reason } = reading.outcome();
    const callerLeft = reading.call.ending.endedBy === 'caller';
    const last = reading.nodes.at(-1);
    if (outcome !== 'unresolved' || callerLeft || last === undefined || SETTLED.has(reason.rule)) return [];
    const spoken = reading.agent.at(-1);
    const node = reading.configuration?.nodes.find((one) => one.id === last.nodeId);
    // A step that is there to end calls is the last of every call: what went wrong lies before it.
    if (node !== undefined && /^end/i.test(node.kind)) return [];
    return [
      {
        turnIndex: spoken?.index ?? reading.lastIndex,
        quote: spoken === undefined ? '' : quoteTurn(spoken),
        detail: `The call ended at "${last.label}" with the goal open.`,
        place: { kind: 'node', id: last.nodeId, label: last.label },
        confidence: Math.min(0.8, reading.outcome().confidence),
        facts: {
          edges: node === undefined ? null : node.edges.filter((edge) => edge.to !== null).length,
        },
      },
    ];
  },
};
