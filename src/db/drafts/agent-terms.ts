import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** What a publish needs to know of its agent. */
export function loadAgentTerms(em: EntityManager, agentId: string): Promise<{ graceDays: number }> {
  return db(em).selectFrom('agents').where('id', '=', agentId).select('graceDays').executeTakeFirstOrThrow();
}
