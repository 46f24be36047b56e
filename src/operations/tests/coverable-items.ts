import { coverableIntents, coverableIssues } from '../../db/tests/test-coverage.ts';
import type { Coverable } from '../../domain/tests/coverage.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import type { Context } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

/** What callers want, what the current version is made of and what goes wrong. */
export async function coverableItems(
  { em, agent }: Context,
  configuration: AgentConfiguration | null,
): Promise<Coverable[]> {
  const scope = scopeOf(agent);
  return [
    ...(await coverableIntents(em, scope)),
    ...(configuration?.nodes ?? []).map(({ id, label }) => ({
      kind: 'node' as const,
      id,
      label,
      calls: null,
      aliases: [],
    })),
    ...(configuration?.tools ?? []).map(({ id, name }) => ({
      kind: 'tool' as const,
      id: name,
      label: name,
      calls: null,
      aliases: [id],
    })),
    ...(await coverableIssues(em, scope, agent.boardSource)),
  ];
}
