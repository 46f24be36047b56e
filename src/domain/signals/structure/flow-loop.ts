import { quoteTurn } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { FLOW_LOOP } from '../entries/flow.ts';
import { limit, missingNodes } from '../needs.ts';
import type { CallReading } from '../reading.ts';

/** The call came back to the same step again and again and nothing had moved. */
export const flowLoop: Detector = {
  entry: FLOW_LOOP,
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
