import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { textOf } from '../lenient.ts';
import { workflowEdge, workflowNode } from './payloads.ts';

/** The ways out of a step, in the order in which they are tried. */
export function outgoingEdges(workflow: JsonObject, nodeId: string) {
  const nodes = isJsonObject(workflow.nodes) ? workflow.nodes : {};
  const node = workflowNode.safeParse(nodes[nodeId]);
  const order = (node.success ? (node.data.edge_order ?? []) : []).map(textOf);
  const rank = (edgeId: string) => (order.includes(edgeId) ? order.indexOf(edgeId) : order.length);
  return Object.entries(isJsonObject(workflow.edges) ? workflow.edges : {})
    .flatMap(([id, value]) => {
      const edge = workflowEdge.safeParse(value);
      return edge.success && edge.data.source === nodeId ? [{ id, ...edge.data }] : [];
    })
    .toSorted((a, b) => rank(a.id) - rank(b.id));
}
