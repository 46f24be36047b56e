import { loadAgentSource } from '../../db/agents/agent-source.ts';
import type { EntityManager } from '../../db/database.ts';
import { publishEvent } from '../../db/events/events.ts';
import { drawFromPlan } from '../../db/limits/draw-from-plan.ts';
import { budgetsLeft, holdBudget, leastLeft, lockBudgets, noteTestCalls } from '../../db/runs/budgets.ts';
import { loadPlayTerms } from '../../db/runs/run-terms.ts';
import { coverCells, loadRun, moveRun, playableCells, type RunView } from '../../db/runs/runs.ts';
import { announce } from '../../db/webhooks/announce.ts';
import type { JsonObject } from '../../domain/json.ts';
import { cellPriceNanoUsd } from '../../domain/runs/cell-price.ts';
import { decideReservation } from '../../domain/runs/decide-reservation.ts';
import { noTestCallsMessage } from '../../domain/runs/run-messages.ts';
import { APPROVAL_MS, type RunPlan } from '../../temporal/run-tests.ts';

export interface PlayToReserve {
  /** 1 for the run itself, more for second tries of its errors. */
  play: number;
  /** Test calls of the plan that were drawn for it before. */
  drawnBefore: number;
  /** How long a person may take to approve it. */
  approvalMs: number | undefined;
}

export type Reserved = { state: 'held'; run: RunView } | Extract<RunPlan, { state: 'wait' | 'refused' }>;

/** Holds back what a play of a run may cost, and says so; within the transaction that holds the run. */
export async function reserveBudget(tx: EntityManager, run: RunView, asked: PlayToReserve): Promise<Reserved> {
  const { workspaceId, agentId, apiKeyId } = run;
  const { play, drawnBefore, approvalMs = APPROVAL_MS } = asked;
  if (run.trigger === 'auto' && play === 1 && drawnBefore === 0) {
    const drawn = await drawFromPlan(tx, workspaceId, 'testCalls', run.cellsRequested);
    if (!drawn.drawn) return refuse(tx, run, play, noTestCallsMessage(run.cellsRequested, drawn.plan));
    await noteTestCalls(tx, run.id, run.cellsRequested, drawn.countedIn);
  }
  const payer = { workspaceId, agentId, apiKeyId };
  await lockBudgets(tx, payer);
  const budget = leastLeft(await budgetsLeft(tx, payer));
  const waitsUntil = new Date(Date.now() + approvalMs).toISOString();
  const asksFor = { ...run, cellsRequested: await playableCells(tx, run.id) };
  const decision = decideReservation(asksFor, play, budget, await priceOfCell(tx, run), waitsUntil);
  switch (decision.state) {
    case 'refused':
      return refuse(tx, run, play, decision.message);
    case 'wait':
      await coverCells(tx, run.id, decision.cells);
      await awaitApproval(tx, run, waitsUntil, decision.message);
      return { state: 'wait', ms: approvalMs, waitsFor: decision.message };
    case 'hold': {
      await holdBudget(tx, run.id, play, decision.nanoUsd);
      if (play === 1) await coverCells(tx, run.id, decision.cells);
      await moveRun(tx, run.id, ['queued', 'awaiting_approval'], 'running', { message: decision.message });
      await publishEvent(tx, { agentId, kind: 'run.changed', ref: run.id });
      const held = await loadRun(tx, run.id);
      if (held === null) throw new Error('A run that was just moved is not there.');
      return { state: 'held', run: held };
    }
    default:
      return decision satisfies never;
  }
}

async function priceOfCell(tx: EntityManager, run: RunView): Promise<number> {
  const source = await loadAgentSource(tx, run.agentId);
  if (source === null) throw new Error('The agent was deleted.');
  const terms = await loadPlayTerms(tx, run.agentId, run.version);
  return cellPriceNanoUsd(run, { provider: source.provider, simulatedCallUsd: terms?.simulatedCallUsd ?? null });
}

/** Tells people, here and at their webhooks, that the run waits for one of them. */
async function awaitApproval(tx: EntityManager, run: RunView, waitsUntil: string, message: string): Promise<void> {
  const { agentId } = run;
  await moveRun(tx, run.id, ['queued'], 'awaiting_approval', { message, waitsUntil });
  await tellOf(tx, run, 'run.awaiting_approval', `run:${run.id}`, { message, waitsUntil });
  await publishEvent(tx, { agentId, kind: 'run.changed', ref: run.id });
}

/** Nothing of it is played, and whoever asked for it may not look: people are told, and webhooks. */
async function refuse(tx: EntityManager, run: RunView, play: number, message: string) {
  await tellOf(tx, run, 'run.refused', `run:${run.id}/${play}`, { message });
  return { state: 'refused' as const, message };
}

async function tellOf(
  tx: EntityManager,
  { id: runId, agentId, version }: RunView,
  event: 'run.awaiting_approval' | 'run.refused',
  eventKey: string,
  more: JsonObject,
): Promise<void> {
  const agentName = (await loadAgentSource(tx, agentId))?.name ?? '';
  const data = { runId, agentId, agentName, version, ...more };
  await announce(tx, agentId, [{ event, eventKey, at: new Date().toISOString(), data }]);
}
