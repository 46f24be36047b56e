import type { EntityManager } from '../../db/database.ts';
import { lastingName } from '../../db/system/left-usage.ts';
import type { Services } from '../services.ts';

/** By what a maker of workspaces is known when the account comes back after it was deleted with one of them. */
export async function makerKey(
  em: EntityManager,
  { vault }: Pick<Services, 'vault'>,
  personId: string,
): Promise<string> {
  return vault.keyedHash('maker', (await lastingName(em, personId)) ?? personId);
}
