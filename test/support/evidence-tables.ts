import { sql } from 'kysely';
import type { EntityManager } from '../../src/db/database.ts';

type Row = Record<string, unknown>;

/** All that the grouping stands on for one agent, without ids and clock times, in a fixed order: two states compare field by field. */
export async function evidenceTables(em: EntityManager, agentId: string) {
  const db = em.getKysely();
  const rows = async (query: ReturnType<typeof sql<Row>>) => (await query.execute(db)).rows;
  const group = sql`i.code, i.place_kind, i.place_id, i.split_cause`;
  const [agent] =
    await rows(sql`select call_count, version_count, version_totals, current_version, open_issue_count, newest_call_at
    from agents where id = ${agentId}`);
  return {
    agent,
    calls: await rows(sql`select provider_call_id, state, state_reason, reanalyse, version, started_at, ended_at,
      duration_ms, caller_kind, caller_nth, caller_of, outcome, ended_badly, caller_spoke, intent_slug, persona_slug,
      signal_codes from calls where agent_id = ${agentId} order by provider_call_id`),
    call_codes: await rows(sql`select c.provider_call_id, k.code, k.sort_at, k.outcome, k.version from call_codes k
      join calls c on c.id = k.call_id where k.agent_id = ${agentId} order by 1, 2`),
    intents: await rows(sql`select kind, slug, calls from intents where agent_id = ${agentId} order by 1, 2`),
    issue_calls: await rows(sql`select ${group}, c.provider_call_id, l.sort_at, l.outcome, l.version, l.first_turn,
      l.own, l.confidence_milli from issue_calls l join issues i on i.id = l.issue_id join calls c on c.id = l.call_id
      where l.agent_id = ${agentId} order by 1, 2, 3, 4, 5`),
    issue_rollups: await rows(sql`select ${group}, to_jsonb(r) - 'issue_id' - 'agent_id' as counts, r.version, r.calls,
      r.own_calls, r.bad from issue_rollups r join issues i on i.id = r.issue_id where r.agent_id = ${agentId}
      order by 1, 2, 3, 4, r.version`),
    issue_days: await rows(sql`select ${group}, r.day::text as day, r.calls from issue_days r
      join issues i on i.id = r.issue_id where r.agent_id = ${agentId} order by 1, 2, 3, 4, 5`),
    issue_causes: await rows(sql`select ${group}, r.cause_code, r.calls from issue_causes r
      join issues i on i.id = r.issue_id where r.agent_id = ${agentId} order by 1, 2, 3, 4, 5`),
    issue_intents: await rows(sql`select ${group}, r.intent_slug, r.calls from issue_intents r
      join issues i on i.id = r.issue_id where r.agent_id = ${agentId} order by 1, 2, 3, 4, 5`),
    issue_pairs: await rows(sql`select ${group}, t.code as then_code, t.place_id as then_place,
      t.split_cause as then_cause, r.calls from issue_pairs r join issues i on i.id = r.first_issue_id
      join issues t on t.id = r.then_issue_id where r.agent_id = ${agentId} order by 1, 2, 3, 4, 5, 6, 7`),
    step_codes: await rows(sql`select step_kind, step_digest, code, calls, bad from step_codes
      where agent_id = ${agentId} order by 1, 2, 3`),
    place_rollups: await rows(sql`select r.place_kind, r.place_digest, p.digest, r.version, r.day::text as day, r.calls,
      r.spoke, r.bad, r.resolved, r.unresolved, r.transferred, r.abandoned, r.no_contact, r.duration_s,
      r.duration_square_s, r.first_started_at, r.last_started_at from place_rollups r
      join computability_profiles p on p.id = r.profile_id where r.agent_id = ${agentId} order by 1, 2, 3, 4, 5`),
  };
}

/** Every computed column of an agent's issues, without ids and clock times. */
export async function issueTable(em: EntityManager, agentId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select to_jsonb(i) - array['id', 'workspace_id', 'agent_id', 'created_at', 'updated_at', 'confirmed_at',
      'withdrawn_at', 'state_digest', 'downstream_of_id', 'merged_into_id'] as row, i.withdrawn_at is not null as withdrawn,
      leader.key as downstream_of, parent.key as merged_into
    from issues i left join issues leader on leader.id = i.downstream_of_id
    left join issues parent on parent.id = i.merged_into_id where i.agent_id = ${agentId} order by i.key`.execute(
    em.getKysely(),
  );
  return rows;
}
