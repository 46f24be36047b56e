import type { StepVisit } from './call-analysis.ts';
import { START } from './end-step.ts';
import { toolPlace } from './places.ts';
import type { CallReading } from './reading.ts';

/**
 * Steps and tools that the call reached, in the order of their first turn. The agent, its prompt and the platform's
 * parts are reached by every call and are not listed, except `agent:start` where there are no steps and no tools.
 */
export function readVisits(reading: CallReading): StepVisit[] {
  const visits = new Map<string, StepVisit>();
  const visit = (one: StepVisit) => {
    const key = `${one.place.kind}:${one.place.id}`;
    if (!visits.has(key)) visits.set(key, one);
  };
  for (const entry of reading.nodes) {
    visit({ place: { kind: 'node', id: entry.nodeId, label: entry.label }, firstTurn: entry.turn });
  }
  for (const use of reading.tools) visit({ place: toolPlace(use), firstTurn: use.callTurn ?? use.resultTurn ?? 0 });
  if (visits.size === 0) visit({ place: START, firstTurn: 0 });
  return [...visits.values()].sort((a, b) => a.firstTurn - b.firstTurn);
}
