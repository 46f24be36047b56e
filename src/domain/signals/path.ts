import type { CallPath } from './call-analysis.ts';
import { START } from './end-step.ts';
import { toolPlace } from './places.ts';
import type { CallReading } from './reading.ts';
import type { Place } from './signal.ts';

/** A call that runs in circles for an hour takes the same moves again; this many different ones are kept. */
const MOVES_AT_MOST = 200;

/**
 * How the call went from step to step: by the steps of the flow, and without them from the start over its tools. Each
 * move counts once a call, as do the steps that it came back to.
 */
export function readPath(reading: CallReading): CallPath {
  const steps = stepsInOrder(reading);
  const moves = new Map<string, CallPath['moves'][number]>();
  const loops = new Map<string, CallPath['loops'][number]>();
  const seen = new Set<string>();
  for (const [index, { kind, id }] of steps.entries()) {
    const key = JSON.stringify([kind, id]);
    if (seen.has(key)) loops.set(key, [kind, id]);
    seen.add(key);
    const before = steps[index - 1];
    if (before && moves.size < MOVES_AT_MOST) {
      const move: CallPath['moves'][number] = [before.kind, before.id, kind, id];
      moves.set(JSON.stringify(move), move);
    }
  }
  return { moves: inOrder(moves), loops: inOrder(loops) };
}

function stepsInOrder({ nodes, tools }: CallReading): Pick<Place, 'kind' | 'id'>[] {
  if (nodes.length > 0) return nodes.map(({ nodeId }) => ({ kind: 'node', id: nodeId }));
  const turnOf = (use: (typeof tools)[number]) => use.callTurn ?? use.resultTurn ?? 0;
  return [START, ...tools.toSorted((a, b) => turnOf(a) - turnOf(b)).map(toolPlace)];
}

function inOrder<T>(distinct: Map<string, T>): T[] {
  return [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
