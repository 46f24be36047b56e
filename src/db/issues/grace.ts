import { sql } from 'kysely';
import type { GracePlan } from '../../domain/issues/grace-plan.ts';
import { graceEntry } from '../../temporal/grace-period.ts';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { insertOrder } from '../system/orders.ts';

/** What an agent's issues wait for, as the last look left it, and the database's time. */
export async function readGracePlan(
  em: EntityManager,
  agentId: string,
): Promise<{ plan: GracePlan | null; now: string }> {
  const { rows } = await sql<{ plan: GracePlan | null; now: string }>`
    select grace_plan as plan, now()::timestamptz(3) as now from agents where id = ${agentId}`.execute(db(em));
  const [row] = rows;
  if (!row) throw new Error('The agent is gone.');
  return { plan: row.plan, now: toIso(row.now) };
}

/**
 * Has the grace workflow of an agent look again, once the caller's transaction commits. Nothing where no issue waits.
 * @param only where an issue waits for calls to be analysed.
 */
export async function orderGraceLook(em: EntityManager, agentId: string, only?: 'for analysis'): Promise<void> {
  const { rows } = await sql<{ workspaceId: string; name: string }>`
    select workspace_id, name from agents where id = ${agentId} and grace_plan is not null
      and (${only === undefined} or (grace_plan ->> 'waitForAnalysis')::int > 0)`.execute(db(em));
  const [agent] = rows;
  if (!agent) return;
  const { workspaceId, name } = agent;
  await insertOrder(em, graceEntry({ agentId, workspaceId, agentName: name }), { workspaceId, agentId });
}

/** Agents of a workspace whose grace workflow must be there. */
export async function agentsWithGrace(
  em: EntityManager,
  workspaceId: string,
  afterId: string | null,
  limit: number,
): Promise<{ agentId: string; workspaceId: string; agentName: string }[]> {
  const { rows } = await sql<{ agentId: string; workspaceId: string; agentName: string }>`
    select id as agent_id, workspace_id, name as agent_name from agents
    where workspace_id = ${workspaceId} and grace_plan is not null and (${afterId}::uuid is null or id > ${afterId}::uuid) order by id limit ${limit}
  `.execute(db(em));
  return rows;
}
