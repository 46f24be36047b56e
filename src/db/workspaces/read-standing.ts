import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** How far behind the agents of one workspace are. */
export interface Standing {
  /** Agents whose platform is followed. */
  followedAgents: number;
  /** Seconds up to which the calls of the agent that is furthest behind are all accounted for; null where none is followed. */
  importLagSeconds: number | null;
  waitingCalls: number;
  /** Age in seconds of the call that waits for its analysis for the longest time; null where none waits. */
  analysisLagSeconds: number | null;
  failedCalls: number;
  openImports: { queued: number; running: number; paused: number };
  /** Running imports that wait for a platform or a person. */
  waitingImports: number;
}

export async function readStanding(em: EntityManager, workspaceId: string): Promise<Standing> {
  const { rows } = await sql<Omit<Standing, 'openImports'> & Standing['openImports']>`
    with own as (select id, provider, bookmark_at, read_only from agents where workspace_id = ${workspaceId}),
    followed as (select bookmark_at from own where bookmark_at is not null and provider <> 'file'),
    waiting as (select created_at from calls where agent_id in (select id from own) and state = 'waiting'
      and (state <> 'analysed' or reanalyse)),
    open as (select status, waits_for from imports
      where workspace_id = ${workspaceId} and status in ('queued', 'running', 'paused'))
    select (select count(*)::int from followed) as followed_agents,
      (select extract(epoch from now() - min(bookmark_at))::float8 from followed) as import_lag_seconds,
      (select count(*)::int from waiting) as waiting_calls,
      (select extract(epoch from now() - min(created_at))::float8 from waiting) as analysis_lag_seconds,
      (select count(*)::int from calls where agent_id in (select id from own) and state = 'failed'
        and (state <> 'analysed' or reanalyse)) as failed_calls,
      (select count(*)::int from open where status = 'queued') as queued,
      (select count(*)::int from open where status = 'running') as running,
      (select count(*)::int from open where status = 'paused') as paused,
      (select count(*)::int from open where waits_for is not null) as waiting_imports
  `.execute(db(em));
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL answered counts without a row.');
  const { queued, running, paused, ...standing } = row;
  return { ...standing, openImports: { queued, running, paused } };
}
