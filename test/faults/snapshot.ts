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
        caller_kind, caller_nth, caller_of, signal_codes, intent_slug, reanalyse
      from calls where agent_id = ${agentId} order by provider_call_id`),
    signals: await all(sql`
      select provider_call_id, ordinal, code, place_id, turn_index, quote, cause_code
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
