import type { EntityManager } from '../../db/database.ts';
import { readNamesGiven } from '../../db/models/model-policy.ts';
import { namesToOffer } from '../../domain/calls/named-intents.ts';

/** Names that an agent's reader is shown, so that one thing has one name. */
export interface KnownNames {
  /** Labels of intents that a reader or a person named, in the order of the alphabet. */
  intents: string[];
  /** Codes outside the catalogue. */
  others: string[];
}

export async function loadKnownNames(em: EntityManager, agentId: string): Promise<KnownNames> {
  const { intents, standing, others } = await readNamesGiven(em, agentId);
  return { intents: namesToOffer(intents, standing), others };
}
