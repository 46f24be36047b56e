import type { Turn } from '../calls/call.ts';
import { isJsonObject, type Json } from '../json.ts';
import type { Fixture } from '../tests/spec.ts';

/**
 * Fixtures that still answer: one with `times` is used up by so many calls that it fitted. Two calls within one answer of
 * the agent may both be given it, as platforms are told of fixtures once an answer.
 */
export function fixturesLeft(fixtures: readonly Fixture[], turns: readonly Turn[]): Fixture[] {
  const uses = new Map<Fixture, number>();
  const isLeft = (fixture: Fixture) => fixture.times === null || (uses.get(fixture) ?? 0) < fixture.times;
  const ordered = [
    ...fixtures.filter(({ match }) => match !== null),
    ...fixtures.filter(({ match }) => match === null),
  ];
  for (const { toolCall } of turns) {
    if (toolCall === null) continue;
    const used = ordered.find((fixture) => isLeft(fixture) && fits(fixture, toolCall));
    if (used) uses.set(used, (uses.get(used) ?? 0) + 1);
  }
  return fixtures.filter(isLeft);
}

function fits({ tool, match }: Fixture, call: { name: string; args: Json }): boolean {
  return tool === call.name && (match === null || holds(call.args, match));
}

/** The value has everything that is wanted of it; lists and plain values are equal. */
function holds(value: Json | undefined, wanted: Json): boolean {
  if (!isJsonObject(wanted)) return JSON.stringify(value) === JSON.stringify(wanted);
  return isJsonObject(value) && Object.entries(wanted).every(([name, inner]) => holds(value[name], inner));
}
