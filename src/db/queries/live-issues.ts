import { sql } from 'kysely';
import { type GracePlan, planGrace, type WaitingIssue } from '../../domain/issues/grace-plan.ts';
import { type LaterCall, type LifeStep, nextStep } from '../../domain/issues/lifecycle.ts';
import type { IssueStatus } from '../../domain/vocabulary.ts';
import { graceOrder } from '../../durable/grace.ts';
import type { EntityManager } from '../database.ts';
import { insertOrder } from '../system/orders.ts';
import type { NewEvent } from './events.ts';
import { addHistory } from './issue-history.ts';
import { type LifeRow, loadLife } from './load-life.ts';
import { endSnoozes } from './snoozes.ts';

export interface LifeResult {
  /** Issues whose status time or evidence changed. */
  changed: number;
  /** To be noted at the end of the transaction. */
  events: NewEvent[];
  plan: GracePlan;
}

/**
 * Lets time and evidence act on an agent's issues as they stand in the record, on the database's time, and writes what
 * they wait for next. Call it with the agent locked and its sums grouped. Carried out a second time it changes nothing.
 * @param told the plan goes to the one who asks, so that no message about it is needed.
 */
export async function liveIssues(em: EntityManager, agentId: string, told = false): Promise<LifeResult> {
  const life = await loadLife(em, agentId);
  const { nowMs, agent } = life;
  const steps = life.issues.map(({ row, issue, facts }) => ({
    row,
    step: nextStep(issue, facts, nowMs, agent.graceDays),
  }));
  const moved = await carryOut(em, agentId, agent.graceDays, nowMs, steps);
  const events = moved.flatMap(({ row, to }): NewEvent[] =>
    row.listed && row.source === agent.boardSource
      ? [{ kind: to === 'resolved' ? 'issue.resolved' : 'issue.regressed', ref: row.id }]
      : [],
  );
  const regressed = new Set(moved.filter(({ to }) => to === 'regressed').map(({ row }) => row.id));
  const snoozes = await endSnoozes(em, agentId, regressed);
  const open = steps.flatMap(({ row, step }): WaitingIssue[] =>
    step.to === null && step.wait.for !== 'nothing'
      ? [{ issueId: row.id, title: `${row.title}, at ${row.place_label}`.slice(0, 120), wait: step.wait }]
      : step.to === 'regressed'
        ? [{ issueId: row.id, title: row.title, wait: { for: 'calls' } }]
        : [],
  );
  const plan = planGrace(open, snoozes.endsMs);
  await keepPlan(em, agentId, plan, told);
  return { changed: moved.length, events: [...events, ...snoozes.events], plan };
}

interface Moved {
  row: LifeRow;
  to: IssueStatus;
}

/** Only rows that still have the status they were judged by: a person who was faster wins. */
async function carryOut(
  em: EntityManager,
  agentId: string,
  graceDays: number,
  nowMs: number,
  steps: readonly { row: LifeRow; step: LifeStep }[],
): Promise<Moved[]> {
  const wanted = steps.flatMap(({ row, step }) => (step.to === null ? [] : [{ row, step }]));
  if (wanted.length === 0) return [];
  const records = wanted.map(({ row, step }) => ({ id: row.id, from_status: row.status, to_status: step.to }));
  const { rows: done } = await sql<{ id: string }>`
    update issues i set status = r.to_status, updated_at = now(), reopened_at = null,
      resolved_at = case when r.to_status = 'resolved' then to_timestamp(${nowMs}::float8 / 1000) end
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(id uuid, from_status text, to_status text)
    where i.id = r.id and i.agent_id = ${agentId} and i.status = r.from_status returning i.id`.execute(em.getKysely());
  const ids = new Set(done.map(({ id }) => id));
  const moved = wanted.filter(({ row }) => ids.has(row.id));
  await addHistory(
    em,
    agentId,
    moved.map(({ row, step }) => ({
      issueId: row.id,
      from: row.status,
      to: step.to ?? row.status,
      trigger: step.to === 'regressed' ? 'seen_again' : 'not_seen',
      personId: null,
      reason: step.to === 'regressed' ? returnSentence(step.call, row.fix_version) : silenceSentence(row, graceDays),
    })),
  );
  return moved.map(({ row, step }) => ({ row, to: step.to ?? row.status }));
}

function silenceSentence({ last_ms: lastMs }: LifeRow, graceDays: number): string {
  const last = lastMs === null ? '' : ` The last call that did started at ${new Date(lastMs).toISOString()}.`;
  const days = graceDays === 1 ? 'day' : `${graceDays} days`;
  return `No call of any version that started in the last ${days} shows it, and calls came in that time.${last}`;
}

function returnSentence(call: LaterCall, fixVersion: number | null): string {
  const fix = fixVersion === null ? '' : ` It was to be fixed in version ${fixVersion}.`;
  return `A call of version ${call.version} that started at ${new Date(call.startedMs).toISOString()} shows it again.${fix}`;
}

/** A plan that moved wakes the grace workflow, or starts it where an agent has something to wait for the first time. */
async function keepPlan(em: EntityManager, agentId: string, plan: GracePlan, told: boolean): Promise<void> {
  const db = em.getKysely();
  const { rows } = await sql<{ workspaceId: string; name: string }>`
    update agents set grace_plan = ${JSON.stringify(plan)}::jsonb
    where id = ${agentId} and grace_plan is distinct from ${JSON.stringify(plan)}::jsonb
      and (grace_plan is not null or ${plan.open > 0 || plan.nextAt !== null})
    returning workspace_id as "workspaceId", name`.execute(db);
  const [agent] = rows;
  if (!agent || told) return;
  const { workspaceId, name } = agent;
  await insertOrder(em, graceOrder({ agentId, workspaceId, agentName: name }), { workspaceId, agentId });
}
