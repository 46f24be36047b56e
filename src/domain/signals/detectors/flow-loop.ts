import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit, missingNodes } from '../needs.ts';
import { quoteTurn } from '../quotes.ts';
import type { CallReading } from '../reading.ts';
import { numberOf } from '../tool-causes.ts';

/** The call came back to the same step again and again and nothing had moved. */
export const flowLoop: Detector = {
  entry: entry({
    code: 'flow_loop',
    title: 'Flow goes round in circles',
    klass: 'flow',
    lane: 'flow',
    severity: 'high',
    thresholds: { entries: 3 },
    needs: ['flow_nodes'],
    isNot: 'Coming back to a step with something new: another date, a tool that has worked, a step not seen before.',
    causes: [
      {
        code: 'failing_tool_sends_back',
        label: 'A tool that fails sends the call back',
        category: 'missing_path',
        party: 'agent',
        outside: false,
        recommendation: 'Give {place} a way out for the case that the tool fails a second time.',
        evidence: (facts) =>
          (numberOf(facts['failures']) ?? 0) >= 2
            ? `A tool failed ${numberOf(facts['failures'])} times within the loop.`
            : null,
      },
      {
        code: 'refusal_sends_back',
        label: 'A refusal sends the call back',
        category: 'missing_path',
        party: 'agent',
        outside: false,
        recommendation: 'Give {place} a way out for the case that the business says no twice.',
        evidence: (facts) =>
          (numberOf(facts['refusals']) ?? 0) >= 2
            ? `The business said no ${numberOf(facts['refusals'])} times within the loop.`
            : null,
      },
      {
        code: 'no_exit_in_flow',
        label: 'The steps of the loop lead only to each other',
        category: 'missing_path',
        party: 'agent',
        outside: false,
        recommendation: 'Add an edge that leaves {place} when the caller has answered, or has said no.',
        evidence: (facts) =>
          facts['exits'] === 0 ? 'No edge of this version leads out of the steps of the loop.' : null,
      },
    ],
    check: 'Read the edges of {place}: which condition should have let these calls go on.',
  }),
  detect(reading, _input, thresholds) {
    const missing = missingNodes(reading);
    if (missing !== null) return missing;
    const entries = limit(thresholds, 'entries');
    const progress = progressOver(reading);
    const rounds = new Map<string, { count: number; progress: number; first: number }>();
    const told = new Set<string>();
    const seen = new Set<string>();
    let newNodes = 0;
    return reading.nodes.flatMap((node) => {
      if (!seen.has(node.nodeId)) {
        seen.add(node.nodeId);
        newNodes += 1;
      }
      const now = progress(node.turn) + newNodes;
      const round = rounds.get(node.nodeId);
      const count = round !== undefined && round.progress === now ? round.count + 1 : 1;
      const first = count === 1 ? node.turn : (round?.first ?? node.turn);
      rounds.set(node.nodeId, { count, progress: now, first });
      if (count < entries || told.has(node.nodeId)) return [];
      told.add(node.nodeId);
      const spoken =
        reading.spoken.find((turn) => turn.role === 'agent' && turn.index >= node.turn) ?? reading.agent.at(-1);
      return [
        {
          turnIndex: spoken?.index ?? node.turn,
          quote: spoken === undefined ? '' : quoteTurn(spoken),
          detail: `The step "${node.label}" was entered ${count} times with nothing new in between.`,
          place: { kind: 'node' as const, id: node.nodeId, label: node.label },
          confidence: 0.8,
          facts: loopFacts(reading, first, node.turn),
        },
      ];
    });
  },
};

/** How much had moved before a turn: new details of the caller, and tools that worked. Asked for growing turns. */
function progressOver(reading: CallReading): (turn: number) => number {
  let spokenAt = 0;
  let toolAt = 0;
  let sum = 0;
  return (turn) => {
    for (; spokenAt < reading.caller.length; spokenAt += 1) {
      const spoken = reading.caller[spokenAt];
      if (spoken === undefined || spoken.index >= turn) break;
      sum += spoken.newSlots;
    }
    for (; toolAt < reading.tools.length; toolAt += 1) {
      const use = reading.tools[toolAt];
      if (use === undefined || (use.resultTurn ?? use.callTurn ?? 0) >= turn) break;
      if (use.ok === true && !use.refusal) sum += 1;
    }
    return sum;
  };
}

function loopFacts(reading: CallReading, first: number, last: number) {
  const within = reading.tools.filter(
    (use) => use.resultTurn !== null && use.resultTurn >= first && use.resultTurn <= last,
  );
  const inLoop = new Set(
    reading.nodes.filter((node) => node.turn >= first && node.turn <= last).map((node) => node.nodeId),
  );
  const nodes = (reading.configuration?.nodes ?? []).filter((node) => inLoop.has(node.id));
  const exits = nodes.flatMap((node) => node.edges).filter((edge) => edge.to !== null && !inLoop.has(edge.to)).length;
  return {
    failures: within.filter((use) => use.ok === false).length,
    refusals: within.filter((use) => use.refusal).length,
    exits: nodes.length === inLoop.size ? exits : null,
  };
}
