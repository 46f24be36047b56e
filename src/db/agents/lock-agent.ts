import type { EntityManager } from '@mikro-orm/postgresql';
import { db } from '../db.ts';
import { findPlanned } from '../planned.ts';

/** The agent was deleted, is being so, or never was. */
export class UnknownAgentError extends Error {
  override name = 'UnknownAgentError';
}

/**
 * Every write of an agent's evidence holds this lock until its transaction ends: batches that arrive together queue here
 * instead of locking each other's rows in different orders. Readers are not held up.
 */
export async function lockAgent(em: EntityManager, agentId: string): Promise<void> {
  const agent = db(em).selectFrom('agents').where('id', '=', agentId).select('erasing').forNoKeyUpdate();
  const found = await findPlanned(em, agent);
  if (!found || found.erasing) throw new UnknownAgentError('The agent whose calls were to be stored does not exist.');
}
