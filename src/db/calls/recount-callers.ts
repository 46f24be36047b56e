import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { db } from '../db.ts';
import { dayOf } from '../evidence/rebuild-evidence.ts';

/**
 * Rewrites which call of how many each call of these callers is, by start, then the platform's call id, undated calls
 * last; and after which of them the caller called again within seven days, with the sum of that. Callers of several calls
 * are noted: what follows from it is read with the next grouping.
 */
export async function recountCallers(em: EntityManager, agentId: string, callerKeys: string[]): Promise<void> {
  if (callerKeys.length === 0) return;
  await sql`
    with counted as materialized (
      select id, workspace_id, caller_key, signal_codes, count(*) over (partition by caller_key) as total,
        row_number() over (partition by caller_key order by started_at nulls last, provider_call_id) as nth,
        min(started_at) over (partition by caller_key order by started_at nulls last
          range between interval '1 millisecond' following and interval '7 days' following) is not null
          and started_at is not null as again
      from calls
      where agent_id = ${agentId} and caller_key = any(${callerKeys}::text[]) and state = 'analysed'
    ), moved as (
      select ${dayOf} as day, c.version, coalesce(c.outcome, '') as outcome, coalesce(c.intent_slug, '') as intent_slug,
        coalesce(c.use_case_slug, '') as use_case_slug, sum(case when n.again then 1 else -1 end) as by
      from calls c join counted n on n.id = c.id where c.called_again <> n.again group by 1, 2, 3, 4, 5
    ), summed as (
      update metric_counts t set called_again = t.called_again + m.by from moved m
      where t.agent_id = ${agentId} and t.day = m.day and t.version = m.version and t.outcome = m.outcome
        and t.intent_slug = m.intent_slug and t.use_case_slug = m.use_case_slug
    ), noted as (
      insert into callers_to_review (agent_id, caller_key, workspace_id)
      select distinct ${agentId}::uuid, caller_key, workspace_id from counted
      where total > 1 or 'repeat_call_same_intent' = any(signal_codes)
      on conflict do nothing
    )
    update calls c set caller_nth = counted.nth, caller_of = counted.total, called_again = counted.again,
      caller_kind = case when counted.nth > 1 then 'repeat' else 'new' end
    from counted
    where c.id = counted.id and (c.caller_nth, c.caller_of, c.caller_kind, c.called_again)
      is distinct from (counted.nth, counted.total, case when counted.nth > 1 then 'repeat' else 'new' end,
        counted.again)`.execute(db(em));
}
