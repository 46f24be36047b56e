import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** Whether the agent's issues say what its stored evidence says. */
export async function isGrouped(em: EntityManager, agentId: string): Promise<boolean> {
  const { rows } = await sql<{ grouped: boolean }>`
    select evidence_revision = grouped_revision as grouped from agents where id = ${agentId}`.execute(db(em));
  return rows[0]?.grouped === true;
}

/**
 * Notes that the agent's issues say what its evidence says. `openIssueCount` counts the rows of the default list.
 * @param totals JSON, by version
 */
export async function noteGrouped(em: EntityManager, agentId: string, totals: string): Promise<void> {
  await sql`
    update agents a set open_issue_count = open.issues, grouped_revision = evidence_revision,
      version_totals = ${totals}::jsonb, updated_at = now()
    from (
      select count(*)::int as issues from issues i join agents b on b.id = i.agent_id
      where i.agent_id = ${agentId} and i.section <> 'hidden' and i.withdrawn_at is null and i.status <> 'resolved'
        and i.source = b.board_source and i.klass <> 'behaviour'
    ) open
    where a.id = ${agentId} and (a.open_issue_count, a.grouped_revision, a.version_totals)
      is distinct from (open.issues, a.evidence_revision, ${totals}::jsonb)`.execute(db(em));
}

/** Marks the issues that stand on the board for the first time, each once, whatever becomes of it. @returns their ids in order */
export async function markListed(em: EntityManager, agentId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update issues i set listed_at = now() from agents a
    where i.agent_id = ${agentId} and a.id = i.agent_id and i.listed_at is null and i.section <> 'hidden'
      and i.withdrawn_at is null and i.status <> 'resolved' and i.klass <> 'behaviour' and i.source = a.board_source
    returning i.id`.execute(db(em));
  return rows.map(({ id }) => id).sort();
}
