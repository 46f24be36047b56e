import { toolPlace } from './places.ts';
import type { CallReading } from './reading.ts';
import type { Place } from './signal.ts';

/** Where a call without steps and tools ends. */
export const START: Place = { kind: 'agent', id: 'start', label: 'the start of the call' };

/**
 * The step at which the call ended: the last one entered; without steps the last tool with a result, apart from those
 * that only hang up; else the start.
 */
export function readEndStep(reading: CallReading): Place {
  const node = reading.nodes.at(-1);
  if (node) return { kind: 'node', id: node.nodeId, label: node.label };
  const answered = reading.tools.filter((use) => use.resultTurn !== null && use.effect !== 'end');
  const last = answered.toSorted((a, b) => (a.resultTurn ?? 0) - (b.resultTurn ?? 0)).at(-1);
  return last ? toolPlace(last) : START;
}
