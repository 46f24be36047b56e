import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** The agent was deleted, or never was. */
export class UnknownAgentError extends Error {
  override name = 'UnknownAgentError';
}

/**
 * Every write of an agent's evidence holds this lock until its transaction ends: batches that arrive together queue here
 * instead of locking each other's rows in different orders. Readers are not held up.
 */
export async function lockAgent(em: EntityManager, agentId: string): Promise<void> {
  const { rows } = await sql`select 1 from agents where id = ${agentId} for no key update`.execute(em.getKysely());
  if (rows.length === 0) throw new UnknownAgentError('The agent whose calls were to be stored does not exist.');
}
