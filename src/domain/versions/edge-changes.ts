import type { AgentConfiguration, NodeDefinition } from './configuration.ts';
import type { VersionChange } from './version-change.ts';

interface Edge {
  from: NodeDefinition;
  to: string | null;
  condition: string | null;
}

/**
 * Ways between steps that came, went or have another condition. A way that is left over on both sides, from one step to
 * the same other one, is one whose condition was rewritten. Ways of steps that came or went are told with the step.
 */
export function changeOfEdges(before: AgentConfiguration, after: AgentConfiguration): VersionChange[] {
  const old = new Map(before.nodes.map((node) => [node.id, node]));
  const labels = new Map([...before.nodes, ...after.nodes].map((node) => [node.id, node.label]));
  return after.nodes.flatMap((now) => {
    const was = old.get(now.id);
    return was ? changesOfStep(edgesOf(was), edgesOf(now), (id) => nameOf(labels, id)) : [];
  });
}

function edgesOf(from: NodeDefinition): Edge[] {
  return from.edges.map(({ to, condition }) => ({ from, to, condition }));
}

function changesOfStep(old: Edge[], now: Edge[], name: (id: string | null) => string): VersionChange[] {
  const gone = without(old, now);
  const come = without(now, old);
  const changes: VersionChange[] = [];
  for (const edge of come) {
    const index = gone.findIndex(({ to }) => to === edge.to);
    const [was] = index === -1 ? [] : gone.splice(index, 1);
    changes.push(change(was, edge, name));
  }
  return [...changes, ...gone.map((edge) => change(edge, undefined, name))];
}

function without(edges: Edge[], others: Edge[]): Edge[] {
  const same = (a: Edge, b: Edge) => a.to === b.to && a.condition === b.condition;
  const left = [...others];
  return edges.filter((edge) => {
    const index = left.findIndex((other) => same(edge, other));
    if (index === -1) return true;
    left.splice(index, 1);
    return false;
  });
}

function change(was: Edge | undefined, is: Edge | undefined, name: (id: string | null) => string): VersionChange {
  const edge = is ?? was;
  const verb = was && is ? 'changed' : is ? 'added' : 'removed';
  const from = edge?.from;
  return {
    kind: `edge_${verb}`,
    place: { kind: 'node', id: from?.id ?? '', label: from?.label ?? '' },
    detail: `Way from “${from?.label ?? ''}” to ${name(edge?.to ?? null)} was ${verb}`,
    before: was ? (was.condition ?? 'always') : null,
    after: is ? (is.condition ?? 'always') : null,
  };
}

function nameOf(labels: ReadonlyMap<string, string>, id: string | null): string {
  return id === null ? 'the end' : `“${labels.get(id) ?? id}”`;
}
