import type { EntityManager } from '../../db/database.ts';
import { loadReservation } from '../../db/runs/budgets.ts';
import { partsToPlay } from '../../db/runs/run-cells.ts';
import { loadRun, type RunView } from '../../db/runs/runs.ts';
import { attemptsAtMost } from '../../domain/limits/run-cost.ts';
import { REPEATS } from '../../domain/runs/combine.ts';
import type { PlanRequest, RunPlan } from '../../temporal/run-tests.ts';
import { reserveBudget } from './reserve-budget.ts';

/**
 * What a run does next: it plays what is reserved, waits for a person, or ends. What is not reserved yet is reserved
 * here. The record decides, however often it is asked.
 */
export async function planRun(em: EntityManager, request: PlanRequest): Promise<RunPlan> {
  return em.transactional(async (tx) => {
    const run = await loadRun(tx, request.runId, true);
    if (run === null || run.finishedAt !== null) return { state: 'over' };
    if (run.decision === 'cancelled') return { state: 'cancelled' };
    if (run.decision === 'refused') return { state: 'refused', message: refusedMessage(run) };
    const play = (request.retry ?? 0) + 1;
    const reservation = await loadReservation(tx, run.id);
    if (reservation !== null && reservation.plays >= play) return playing(tx, run);
    if (run.status === 'awaiting_approval' && run.decision === null) {
      if (!request.expired) return waiting(run);
      return { state: 'refused', message: 'Nobody approved it in time, so nothing was played.' };
    }
    const reserved = await reserveBudget(tx, run, {
      play,
      drawnBefore: reservation?.testCalls ?? 0,
      approvalMs: request.approvalMs,
    });
    return reserved.state === 'held' ? playing(tx, reserved.run) : reserved;
  });
}

const refusedMessage = ({ decisionReason }: RunView) =>
  decisionReason === null ? 'Refused by a person.' : `Refused by a person: ${decisionReason}`;

async function playing(tx: EntityManager, run: RunView): Promise<RunPlan> {
  return {
    state: 'play',
    parts: await partsToPlay(tx, run.id),
    total: run.cellsRunnable,
    completed: run.cellsDone,
    atOnce: attemptsAtMost(run) === REPEATS ? REPEATS : 1,
    copy: run.playsCopy,
  };
}

function waiting({ waitsUntil, message }: RunView): RunPlan {
  const ms = Math.max(0, Date.parse(waitsUntil ?? '') - Date.now());
  return { state: 'wait', ms: Number.isNaN(ms) ? 0 : ms, waitsFor: message ?? 'waits for a person' };
}
