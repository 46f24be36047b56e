import { type RawBuilder, sql } from 'kysely';
import type { OwnedDatabase } from '../support/owned-database.ts';

/** Everything that an import leaves behind for an agent, without ids and times, so that two imports can be compared. */
export async function snapshotOf(database: OwnedDatabase, agentId: string) {
  const db = database.em().getKysely();
  const all = async (query: RawBuilder<Record<string, unknown>>) => (await query.execute(db)).rows;
  return {
    imports: await all(sql`
      select kind, status, listed, stored, unchanged, analysed, waiting, failed, ongoing, gone, pages, reason
      from imports where agent_id = ${agentId} order by created_at, id`),
    calls: await all(sql`
      select provider_call_id, state, state_reason, outcome, bad_ending_score, objective, turns, tool_failures,
        caller_kind, caller_nth, caller_of, signal_codes, intent_slug, reanalyse,
        (select md5(not_computable::text) from computability_profiles where id = calls.profile_id) as not_computable
      from calls where agent_id = ${agentId} order by provider_call_id`),
    signals: await all(sql`
      select provider_call_id, ordinal, code, place_id, turn_index, quote, detail, cause_code
      from call_signals join calls on calls.id = call_signals.call_id
      where call_signals.agent_id = ${agentId} order by provider_call_id, ordinal`),
    issues: await all(sql`
      select code, place_kind, place_id, section, volume, rate, failed_outcome_share, impact, confidence, confirmed,
        first_seen_version, last_seen_version
      from issues where agent_id = ${agentId} and withdrawn_at is null order by code, place_kind, place_id, split_cause`),
    evidence: await all(sql`
      select code, place_id, provider_call_id, first_turn from issue_calls
      join issues on issues.id = issue_calls.issue_id join calls on calls.id = issue_calls.call_id
      where issue_calls.agent_id = ${agentId} order by code, place_id, provider_call_id`),
    intents: await all(sql`
      select kind, slug, label, calls
      from intents where agent_id = ${agentId} order by kind, slug`),
    history: await all(sql`
      select code, place_kind, place_id, from_status, to_status, trigger from issue_history
      join issues on issues.id = issue_history.issue_id
      where issues.agent_id = ${agentId} order by code, place_kind, place_id, trigger, to_status`),
    versions: await all(sql`
      select version, config_hash from agent_versions where agent_id = ${agentId} order by version`),
    comparisons: await all(sql`
      select from_version, to_version, changes, result -> 'callsBefore' as before, result -> 'callsAfter' as after
      from comparisons where agent_id = ${agentId} order by to_version`),
    rows: await rowsOfEachTable(database, agentId),
    counts: await all(sql`
      select call_count, open_issue_count, version_count,
        (select count(*)::int from transcripts where agent_id = agents.id) as transcripts,
        (select count(*)::int from raw_payloads where agent_id = agents.id) as payloads,
        (select count(*)::int from call_analyses where agent_id = agents.id) as analyses,
        (select count(*)::int from import_failures where agent_id = agents.id) as failures,
        evidence_revision = grouped_revision as grouped
      from agents where id = ${agentId}`),
  };
}

/**
 * What may differ without anything being wrong: orders that were delivered go away, events tell of each step, of which a
 * disturbed import has more, and sets that calls refer to stay when the reading that made them was replaced.
 */
const MAY_DIFFER = ['outbox_entries', 'workspace_events', 'computability_profiles', 'visit_sets'];

/** How many rows each table has for an agent, so that a new table is compared by itself. */
async function rowsOfEachTable(database: OwnedDatabase, agentId: string): Promise<Record<string, number>> {
  const db = database.em().getKysely();
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'agent_id' order by 1`.execute(db);
  const counts: Record<string, number> = {};
  for (const { name } of tables.rows.filter((table) => !MAY_DIFFER.includes(table.name))) {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(name)} where agent_id = ${agentId}`.execute(db);
    counts[name] = rows[0]?.n ?? 0;
  }
  return counts;
}
