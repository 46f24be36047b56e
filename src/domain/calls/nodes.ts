import type { AgentConfiguration } from '../versions/configuration.ts';
import type { NormalisedCall } from './call.ts';

/** The call entered a step of the flow before this turn. */
export interface NodeEntry {
  nodeId: string;
  label: string;
  turn: number;
}

/** The steps that a call went through: by its transitions, else by what its turns say. */
export function readNodes(call: NormalisedCall, configuration: AgentConfiguration | null): NodeEntry[] {
  const labels = new Map<string, string>();
  for (const node of configuration?.nodes ?? []) labels.set(node.id, node.label);
  for (const transition of call.transitions) {
    if (transition.toLabel !== null && !labels.has(transition.toId)) labels.set(transition.toId, transition.toLabel);
  }
  const entries: NodeEntry[] = [];
  const enter = (nodeId: string, turn: number) => {
    entries.push({ nodeId, label: labels.get(nodeId) ?? nodeId, turn });
  };
  if (call.transitions.length > 0) {
    const first = call.transitions[0];
    const start = first?.fromId ?? configuration?.startNodeId ?? null;
    if (start !== null && start !== first?.toId) enter(start, call.turns[0]?.index ?? 0);
    for (const transition of call.transitions) enter(transition.toId, transition.atTurn);
    return entries;
  }
  let current: string | null = null;
  for (const turn of call.turns) {
    if (turn.nodeId === null || turn.nodeId === current) continue;
    current = turn.nodeId;
    enter(current, turn.index);
  }
  return entries;
}
