import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { db } from '../db.ts';

/** Notes callers of several calls after these calls were stored; what follows from it is read with the next grouping. */
export async function noteCallers(
  em: EntityManager,
  owner: { workspaceId: string; agentId: string },
  callerKeys: readonly string[],
): Promise<void> {
  if (callerKeys.length === 0) return;
  await sql`
    insert into callers_to_review (agent_id, caller_key, workspace_id)
    select distinct ${owner.agentId}::uuid, caller_key, ${owner.workspaceId}::uuid from calls
    where agent_id = ${owner.agentId} and caller_key = any(${[...callerKeys]}::text[]) and state = 'analysed'
      and (caller_of > 1 or 'repeat_call_same_intent' = any(signal_codes))
    on conflict do nothing`.execute(db(em));
}
