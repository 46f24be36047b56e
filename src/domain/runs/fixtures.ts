import type { Turn } from '../calls/call.ts';
import { isJsonObject, type Json } from '../json.ts';
import type { Fixture } from '../tests/spec.ts';

/**
 * Fixtures that still answer: one with `times` is used up by so many calls that it fitted. Two calls within one answer of
 * the agent may both be given it, as platforms are told of fixtures once an answer.
 */
export function fixturesLeft(fixtures: readonly Fixture[], turns: readonly Pick<Turn, 'toolCall'>[]): Fixture[] {
  const uses = new Map<Fixture, number>();
  const isLeft = (fixture: Fixture) => fixture.times === null || (uses.get(fixture) ?? 0) < fixture.times;
  for (const { toolCall } of turns) {
    if (toolCall === null) continue;
    const used = fixtureFor(fixtures.filter(isLeft), toolCall);
    if (used) uses.set(used, (uses.get(used) ?? 0) + 1);
  }
  return fixtures.filter(isLeft);
}

/** The one that answers a call: the narrower first. */
export function fixtureFor<Given extends Pick<Fixture, 'tool' | 'match'>>(
  fixtures: readonly Given[],
  call: { name: string; args: Json },
): Given | undefined {
  const fitting = fixtures.filter((fixture) => fits(fixture, call));
  return fitting.find(({ match }) => match !== null) ?? fitting[0];
}

function fits({ tool, match }: Pick<Fixture, 'tool' | 'match'>, call: { name: string; args: Json }): boolean {
  return tool === call.name && (match === null || holds(call.args, match));
}

/** The value has everything that is wanted of it; lists and plain values are equal. */
function holds(value: Json | undefined, wanted: Json): boolean {
  if (!isJsonObject(wanted)) return JSON.stringify(value) === JSON.stringify(wanted);
  return isJsonObject(value) && Object.entries(wanted).every(([name, inner]) => holds(value[name], inner));
}
