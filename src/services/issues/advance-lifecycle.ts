import type { EntityManager } from '../../db/database.ts';
import type { NewEvent } from '../../db/events/events.ts';
import { addHistory } from '../../db/issues/issue-history.ts';
import { type LifeRow, loadLife } from '../../db/issues/load-life.ts';
import { keepGracePlan, moveStatuses } from '../../db/issues/move-statuses.ts';
import { endSnoozes } from '../../db/issues/snoozes.ts';
import { planGrace, type WaitingIssue } from '../../domain/issues/grace-plan.ts';
import { type LaterCall, type LifeStep, nextStep } from '../../domain/issues/lifecycle.ts';
import type { IssueStatus } from '../../domain/vocabulary.ts';
import { graceEntry } from '../../temporal/grace-period.ts';
import { addToOutbox } from '../outbox/add-to-outbox.ts';

export interface Advanced {
  /** Issues whose status time or evidence changed. */
  changed: number;
  /** To be noted at the end of the transaction. */
  events: NewEvent[];
}

interface Step {
  row: LifeRow;
  step: LifeStep;
}

interface Move {
  row: LifeRow;
  to: IssueStatus;
}

/**
 * Lets time and evidence act on an agent's issues as they stand in the record, on the database's time, and writes what
 * they wait for next. Call it with the agent locked and its issues scored. Carried out a second time it changes nothing.
 * @param tellsGrace false where the agent's grace workflow itself asks, so that it needs no message
 */
export async function advanceLifecycle(tx: EntityManager, agentId: string, tellsGrace: boolean): Promise<Advanced> {
  const { nowMs, agent, issues } = await loadLife(tx, agentId);
  const steps = issues.map(
    ({ row, issue, facts }): Step => ({
      row,
      step: nextStep(issue, facts, nowMs, agent.graceDays),
    }),
  );
  const moved = await carryOut(tx, agentId, steps, agent.graceDays, nowMs);
  const events = moved.flatMap(({ row, to }): NewEvent[] =>
    row.listed && row.source === agent.boardSource
      ? [{ kind: to === 'resolved' ? 'issue.resolved' : 'issue.regressed', ref: row.id }]
      : [],
  );
  const regressed = new Set(moved.filter(({ to }) => to === 'regressed').map(({ row }) => row.id));
  const snoozes = await endSnoozes(tx, agentId, regressed);
  const plan = planGrace(steps.flatMap(waitOf), snoozes.endsMs);
  const waiting = await keepGracePlan(tx, agentId, plan);
  if (waiting !== null && tellsGrace) {
    const { workspaceId, name } = waiting;
    await addToOutbox(tx, { entry: graceEntry({ agentId, workspaceId, agentName: name }), workspaceId, agentId });
  }
  return { changed: moved.length, events: [...events, ...snoozes.events] };
}

/** Moves those that may move, with a line in the history of each. */
async function carryOut(
  tx: EntityManager,
  agentId: string,
  steps: readonly Step[],
  graceDays: number,
  nowMs: number,
): Promise<Move[]> {
  const wanted = steps.flatMap(({ row, step }) => (step.to === null ? [] : [{ row, step, to: step.to }]));
  if (wanted.length === 0) return [];
  const moves = wanted.map(({ row, to }) => ({ id: row.id, from: row.status, to }));
  const ids = await moveStatuses(tx, agentId, moves, nowMs);
  const moved = wanted.filter(({ row }) => ids.has(row.id));
  await addHistory(
    tx,
    agentId,
    moved.map(({ row, step, to }) => ({
      issueId: row.id,
      from: row.status,
      to,
      trigger: to === 'regressed' ? 'seen_again' : 'not_seen',
      personId: null,
      reason: step.to === 'regressed' ? returnSentence(step.call, row.fixVersion) : silenceSentence(row, graceDays),
    })),
  );
  return moved;
}

/** What an open issue waits for; one that was just seen again waits for calls. */
function waitOf({ row, step }: Step): WaitingIssue[] {
  if (step.to === 'regressed') return [{ issueId: row.id, title: row.title, wait: { for: 'calls' } }];
  if (step.to !== null || step.wait.for === 'nothing') return [];
  return [{ issueId: row.id, title: `${row.title}, at ${row.placeLabel}`.slice(0, 120), wait: step.wait }];
}

function silenceSentence({ lastMs }: LifeRow, graceDays: number): string {
  const last = lastMs === null ? '' : ` The last call that did started at ${new Date(lastMs).toISOString()}.`;
  const days = graceDays === 1 ? 'day' : `${graceDays} days`;
  return `No call of any version that started in the last ${days} shows it, and calls came in that time.${last}`;
}

function returnSentence(call: LaterCall, fixVersion: number | null): string {
  const fix = fixVersion === null ? '' : ` It was to be fixed in version ${fixVersion}.`;
  return `A call of version ${call.version} that started at ${new Date(call.startedMs).toISOString()} shows it again.${fix}`;
}
