import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

export interface WorkInHand {
  calls: { analysed: number; waiting: number; failed: number };
  imports: { queued: number; running: number; paused: number };
}

/** What a workspace has and what still goes on in it. Analysed calls are counted by the agents, never here. */
export async function readWorkInHand(em: EntityManager, workspaceId: string): Promise<WorkInHand> {
  const { rows } = await sql<WorkInHand['calls'] & WorkInHand['imports']>`
    select
      (select coalesce(sum(call_count), 0)::float8 from agents where workspace_id = ${workspaceId}) as analysed,
      (select count(*)::float8 from calls where workspace_id = ${workspaceId} and agent_id in
        (select id from agents where workspace_id = ${workspaceId}) and state = 'waiting'
        and (state <> 'analysed' or reanalyse)) as waiting,
      (select count(*)::float8 from calls where workspace_id = ${workspaceId} and agent_id in
        (select id from agents where workspace_id = ${workspaceId}) and state = 'failed'
        and (state <> 'analysed' or reanalyse)) as failed,
      (select count(*)::float8 from imports where workspace_id = ${workspaceId} and status = 'queued') as queued,
      (select count(*)::float8 from imports where workspace_id = ${workspaceId} and status = 'running') as running,
      (select count(*)::float8 from imports where workspace_id = ${workspaceId} and status = 'paused') as paused
  `.execute(db(em));
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL answered counts without a row.');
  const { analysed, waiting, failed, queued, running, paused } = row;
  return { calls: { analysed, waiting, failed }, imports: { queued, running, paused } };
}
