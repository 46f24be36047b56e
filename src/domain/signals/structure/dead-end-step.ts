import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { DEAD_END_STEP } from '../entries/flow.ts';
import { missingNodes } from '../needs.ts';

/** Outcomes that say nothing about the step: a refusal that was accepted, a change of mind, or no evidence in any one turn. */
const SETTLED = new Set(['refused_and_accepted', 'nothing_decides', 'caller_gave_up', 'outweighed']);

/** The call ended at a step of the flow with the caller's goal still open. */
export const deadEndStep: Detector = {
  entry: DEAD_END_STEP,
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
