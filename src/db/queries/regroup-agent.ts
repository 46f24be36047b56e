import type { EntityManager } from '@mikro-orm/postgresql';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import { type RegroupMode, type RegroupResult, regroup } from './regroup.ts';

/** Brings an agent's issues to what its analysed calls say, under the product's own catalogue: see `regroup`. */
export async function regroupAgent(em: EntityManager, agentId: string, mode: RegroupMode): Promise<RegroupResult> {
  return regroup(em, CATALOGUE, agentId, mode);
}
