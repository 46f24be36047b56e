import { sql } from 'kysely';
import type { GracePlan } from '../../domain/issues/grace-plan.ts';
import type { IssueStatus } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

export interface StatusMove {
  id: string;
  from: IssueStatus;
  to: IssueStatus;
}

/**
 * Moves issues, but only those that still have the status that they were judged by: a person who was faster wins.
 * @param resolvedAtMs what counts as the time of those that are resolved
 * @returns the ids of those that were moved
 */
export async function moveStatuses(
  em: EntityManager,
  agentId: string,
  moves: readonly StatusMove[],
  resolvedAtMs: number,
): Promise<Set<string>> {
  if (moves.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    update issues i set status = r."to", updated_at = now(), reopened_at = null,
      resolved_at = case when r."to" = 'resolved' then to_timestamp(${resolvedAtMs}::float8 / 1000) end
    from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as r(id uuid, "from" text, "to" text)
    where i.id = r.id and i.agent_id = ${agentId} and i.status = r."from" returning i.id`.execute(db(em));
  return new Set(rows.map(({ id }) => id));
}

/** Keeps what the agent's issues wait for. @returns the agent where that moved; null where nothing did, or nothing waits yet */
export async function keepGracePlan(
  em: EntityManager,
  agentId: string,
  plan: GracePlan,
): Promise<{ workspaceId: string; name: string } | null> {
  const { rows } = await sql<{ workspaceId: string; name: string }>`
    update agents set grace_plan = ${JSON.stringify(plan)}::jsonb
    where id = ${agentId} and grace_plan is distinct from ${JSON.stringify(plan)}::jsonb
      and (grace_plan is not null or ${plan.open > 0 || plan.nextAt !== null})
    returning workspace_id, name`.execute(db(em));
  return rows[0] ?? null;
}
