import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** How much of a workspace goes on only when a person answers: briefs, runs, watches, plans, and imports that are stuck. */
export async function countWaiting(em: EntityManager, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select (
      (select count(*) from agents where workspace_id = ${workspaceId} and setup_status = 'pending' and not erasing)
      + (select count(*) from runs where workspace_id = ${workspaceId} and status = 'awaiting_approval')
      + (select count(*) from watches where workspace_id = ${workspaceId} and state = 'review')
      + (select count(*) from goals where workspace_id = ${workspaceId} and status = 'open' and approved_at is null
          and cardinality(test_ids) > 0)
      + (select count(*) from imports where workspace_id = ${workspaceId} and (status = 'paused'
          or (status in ('queued', 'running') and waits_for is not null)))
    )::int as waiting`.execute(db(em));
  return rows[0]?.waiting ?? 0;
}
