import { sql } from 'kysely';
import type { IssueLife, LaterCall, LifeFacts } from '../../domain/issues/lifecycle.ts';
import type { IssueSource, IssueStatus } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';

/** A living issue as the record holds it. Times are milliseconds since 1970. */
export interface LifeRow {
  id: string;
  code: string;
  source: IssueSource;
  title: string;
  place_label: string;
  status: IssueStatus;
  rejected: boolean;
  confirmed_ms: number | null;
  resolved_ms: number | null;
  reopened_ms: number | null;
  last_ms: number | null;
  fix_version: number | null;
  /** It stood on the board once, so people heard of it. */
  listed: boolean;
}

export interface AgentLife {
  /**
   * The database's time at the begin of the transaction. For a demo agent that of its newest call: its record ends at
   * the first start, and a later start is to show the same.
   */
  nowMs: number;
  agent: { graceDays: number; boardSource: IssueSource };
  issues: { row: LifeRow; issue: IssueLife; facts: LifeFacts }[];
}

const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

/**
 * Confirmed problems that the analysis still produces; of the resolved ones only those with a later call.
 * @param issueId only this one.
 */
export async function loadLife(em: EntityManager, agentId: string, issueId: string | null = null): Promise<AgentLife> {
  const standing = await loadStanding(em, agentId);
  const { rows } = await sql<LifeRow>`
    select id, code, source, title, place_label, status, rejected, ${ms('confirmed_at')} as confirmed_ms,
      ${ms('resolved_at')} as resolved_ms, ${ms('reopened_at')} as reopened_ms, ${ms('last_seen_at')} as last_ms,
      fix_version, listed_at is not null as listed
    from issues
    where agent_id = ${agentId} and confirmed and withdrawn_at is null and klass <> 'behaviour' and not count_only
      and (status <> 'resolved' or (not rejected and last_seen_at > resolved_at))
      and (${issueId}::uuid is null or id = ${issueId}::uuid)
    order by id`.execute(em.getKysely());
  const resolved = rows.filter((row) => row.status === 'resolved');
  const later = await loadLaterCalls(em, agentId, resolved);
  const { nowMs, timeStands, graceDays, boardSource, latestWaitingMs, importing } = standing;
  return {
    nowMs,
    agent: { graceDays, boardSource },
    issues: rows.map((row) => ({
      row,
      issue: {
        status: row.status,
        rejected: row.rejected,
        alive: true,
        confirmedMs: row.confirmed_ms,
        resolvedMs: row.resolved_ms,
        reopenedMs: row.reopened_ms,
        fixVersion: row.fix_version,
      },
      facts: {
        lastShownMs: row.last_ms,
        latestCallMs: standing.latestOf(row.code),
        latestWaitingMs,
        importing,
        timeStands,
        fixLiveFromMs: row.fix_version === null ? null : (later.liveFrom.get(row.fix_version) ?? null),
        laterCalls: later.byIssue.get(row.id) ?? [],
      },
    })),
  };
}

async function loadStanding(em: EntityManager, agentId: string) {
  const db = em.getKysely();
  const { rows } = await sql<{
    nowMs: number;
    timeStands: boolean;
    graceDays: number;
    boardSource: IssueSource;
    latestWaitingMs: number | null;
    importing: boolean;
  }>`
    select (extract(epoch from clock.at) * 1000)::float8 as "nowMs", a.source = 'demo' as "timeStands",
      a.grace_days as "graceDays", a.board_source as "boardSource",
      (select (extract(epoch from max(c.started_at)) * 1000)::float8 from calls c
        where c.agent_id = a.id and (c.state <> 'analysed' or c.reanalyse) and (c.state = 'waiting' or c.reanalyse)
          and c.sort_at > clock.at - make_interval(days => a.grace_days)) as "latestWaitingMs",
      exists (select 1 from imports i where i.agent_id = a.id and i.kind <> 'poll'
        and i.status in ('queued', 'running', 'paused')) as importing
    from agents a
    cross join lateral (select case when a.source = 'demo' then least(now(), coalesce(a.newest_call_at, now()))
      else now() end as at) clock
    where a.id = ${agentId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The agent is gone.');
  // A row of the rollup is a day: of one that has begun only what lies not after now counts.
  const { rows: profiles } = await sql<{ codes: string[]; latestMs: number | null }>`
    select array(select jsonb_array_elements(p.not_computable) ->> 'code') as codes, r."latestMs"
    from (select profile_id, (extract(epoch from max(case when last_started_at <= now() then last_started_at
          when first_started_at <= now() then first_started_at end)) * 1000)::float8 as "latestMs"
        from place_rollups where agent_id = ${agentId} and place_kind = 'agent' and place_digest = md5('agent')
        group by profile_id) r
    join computability_profiles p on p.id = r.profile_id`.execute(db);
  const known = new Map<string, number | null>();
  return {
    ...row,
    latestOf(code: string): number | null {
      let latest = known.get(code);
      if (latest === undefined) {
        const starts = profiles.flatMap(({ codes, latestMs }) => (codes.includes(code) ? [] : (latestMs ?? [])));
        latest = starts.length === 0 ? null : Math.max(...starts);
        known.set(code, latest);
      }
      return latest;
    },
  };
}

/** The first call of each version and day that shows a resolved issue again, and which versions were current then. */
async function loadLaterCalls(em: EntityManager, agentId: string, resolved: readonly LifeRow[]) {
  const byIssue = new Map<string, LaterCall[]>();
  const liveFrom = new Map<number, number>();
  if (resolved.length === 0) return { byIssue, liveFrom };
  const db = em.getKysely();
  const { rows: calls } = await sql<{ issueId: string; version: number; day: string; startedMs: number }>`
    select i.id as "issueId", c.version, (c.sort_at at time zone 'UTC')::date::text as day,
      (extract(epoch from min(c.sort_at)) * 1000)::float8 as "startedMs"
    from issues i join issue_calls c on c.issue_id = i.id and c.sort_at > i.resolved_at
    where i.id = any(${resolved.map(({ id }) => id)}::uuid[]) group by i.id, c.version, 3`.execute(db);
  const { rows: days } = await sql<{ version: number; day: string; calls: number; firstMs: number | null }>`
    select version, day::text, sum(calls)::int as calls,
      (extract(epoch from min(first_started_at)) * 1000)::float8 as "firstMs"
    from place_rollups where agent_id = ${agentId} and place_kind = 'agent' and place_digest = md5('agent')
    group by version, day`.execute(db);
  const current = new Map<string, { version: number; calls: number }>();
  for (const { version, day, calls: taken, firstMs } of days) {
    const top = current.get(day);
    if (!top || taken > top.calls || (taken === top.calls && version > top.version)) {
      current.set(day, { version, calls: taken });
    }
    if (firstMs !== null) liveFrom.set(version, Math.min(firstMs, liveFrom.get(version) ?? firstMs));
  }
  for (const { issueId, version, day, startedMs } of calls) {
    const liveFromMs = liveFrom.get(version) ?? startedMs;
    const call = { startedMs, version, liveFromMs, wasCurrent: current.get(day)?.version === version };
    byIssue.set(issueId, [...(byIssue.get(issueId) ?? []), call]);
  }
  return { byIssue, liveFrom };
}
