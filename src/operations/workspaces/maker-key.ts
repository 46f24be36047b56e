import type { EntityManager } from '../../db/database.ts';
import { lastingNames } from '../../db/system/left-usage.ts';
import type { Services } from '../services.ts';

/** By what a maker of workspaces is known when the account comes back after it was deleted with one of them, the most lasting first. */
export async function makerKeys(
  em: EntityManager,
  { vault }: Pick<Services, 'vault'>,
  personId: string,
): Promise<[string, ...string[]]> {
  const [first = personId, ...others] = await lastingNames(em, personId);
  const keyOf = (name: string) => vault.keyedHash('maker', name);
  return [keyOf(first), ...others.map(keyOf)];
}
