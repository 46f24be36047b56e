import { quoteTurn } from '../../calls/quotes.ts';
import type { AgentConfiguration } from '../../versions/configuration.ts';
import type { Detector } from '../catalogue-entry.ts';
import { STEP_SKIPPED } from '../entries/flow.ts';
import { missingConfiguration, missingNodes } from '../needs.ts';

/** A step that every way to a later step leads through was not visited. */
export const stepSkipped: Detector = {
  entry: STEP_SKIPPED,
  detect(reading, input) {
    const { configuration } = input;
    if (configuration === null) return missingConfiguration(reading) ?? [];
    const missing = missingNodes(reading);
    if (missing !== null) return missing;
    if (configuration.nodes.length === 0 || configuration.startNodeId === null)
      return { reason: 'The flow of this version was not captured.' };
    const required = requiredBefore(configuration);
    const visited = new Set(reading.nodes.map((node) => node.nodeId));
    const skipped = new Map<string, { by: string; turn: number }>();
    for (const node of reading.nodes) {
      for (const id of required.get(node.nodeId) ?? []) {
        if (!visited.has(id) && !skipped.has(id)) skipped.set(id, { by: node.label, turn: node.turn });
      }
    }
    return [...skipped].map(([id, { by, turn }]) => {
      const label = configuration.nodes.find((node) => node.id === id)?.label ?? id;
      const spoken = reading.spoken.find((one) => one.index >= turn);
      return {
        turnIndex: spoken?.index ?? reading.lastIndex,
        quote: spoken === undefined ? '' : quoteTurn(spoken),
        detail: `The call reached "${by}" without "${label}", through which every way there leads.`,
        place: { kind: 'node' as const, id, label },
        confidence: 0.8,
      };
    });
  },
};

/** Flows do not change within a version, so their ways are worked out once for each captured configuration. */
const KNOWN = new WeakMap<AgentConfiguration, Map<string, string[]>>();
const NODES_AT_MOST = 300;

/** For each step: the steps that lie on every way to it from the start (its dominators). Steps without an edge to them are global and have none. */
function requiredBefore(configuration: AgentConfiguration): Map<string, string[]> {
  const known = KNOWN.get(configuration);
  if (known !== undefined) return known;
  const result = new Map<string, string[]>();
  KNOWN.set(configuration, result);
  const ids = configuration.nodes.map((node) => node.id);
  if (ids.length > NODES_AT_MOST) return result;
  const before = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const node of configuration.nodes) {
    for (const edge of node.edges) if (edge.to !== null) before.get(edge.to)?.push(node.id);
  }
  const roots = new Set(ids.filter((id) => id === configuration.startNodeId || (before.get(id)?.length ?? 0) === 0));
  const ways = new Map<string, Set<string>>(ids.map((id) => [id, roots.has(id) ? new Set([id]) : new Set(ids)]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const id of ids) {
      if (roots.has(id)) continue;
      const parents = (before.get(id) ?? []).map((parent) => ways.get(parent) ?? new Set<string>());
      const common = new Set([...(parents[0] ?? [])].filter((one) => parents.every((parent) => parent.has(one))));
      common.add(id);
      if (common.size !== ways.get(id)?.size) {
        ways.set(id, common);
        changed = true;
      }
    }
  }
  for (const [id, way] of ways)
    result.set(
      id,
      [...way].filter((one) => one !== id && one !== configuration.startNodeId),
    );
  return result;
}
