import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** Rewrites which call of how many each call of these callers is: by start, then the platform's call id; undated calls last. */
export async function recountCallers(em: EntityManager, agentId: string, callerKeys: string[]): Promise<void> {
  if (callerKeys.length === 0) return;
  await sql`
    with counted as (
      select id, caller_key, count(*) over (partition by caller_key) as total,
        row_number() over (partition by caller_key order by started_at nulls last, provider_call_id) as nth
      from calls
      where agent_id = ${agentId} and caller_key = any(${callerKeys}::text[]) and state = 'analysed'
    )
    update calls c set caller_nth = counted.nth, caller_of = counted.total,
      caller_kind = case when counted.nth > 1 then 'repeat' else 'new' end
    from counted
    where c.id = counted.id and (c.caller_nth, c.caller_of, c.caller_kind)
      is distinct from (counted.nth, counted.total, case when counted.nth > 1 then 'repeat' else 'new' end)`.execute(
    em.getKysely(),
  );
}
