import type { EntityManager } from '../../db/database.ts';
import { publishEvent } from '../../db/events/events.ts';
import { settleBudget } from '../../db/runs/budgets.ts';
import { endRescore } from '../../db/runs/decide-runs.ts';
import { closeCells, voidCells } from '../../db/runs/run-cells.ts';
import { coverCells, loadRun, moveRun, playableCells, type RunView } from '../../db/runs/runs.ts';
import { applyCalibration } from '../../db/tests/tests.ts';
import { enqueueDeliveries } from '../../db/webhooks/deliveries.ts';
import { cancelledMessage, failedMessage } from '../../domain/runs/run-messages.ts';
import type { RunStatus } from '../../domain/vocabulary.ts';
import type { RescoreInput, RunInput, RunOutcome } from '../../temporal/run-tests.ts';
import { finishDocument } from './finish-document.ts';
import { releaseCopies } from './release-copies.ts';

const OPEN: readonly RunStatus[] = ['queued', 'awaiting_approval', 'running'];

/**
 * Ends a run: settles the budgets, writes the result document, and tells of it; the bytes that webhooks get are those of
 * the document. All of it is one transaction, and doing it again changes nothing.
 */
export async function finishRun(
  em: EntityManager,
  request: RunInput & { outcome: RunOutcome },
): Promise<{ status: RunStatus; message: string | null }> {
  return em.transactional((tx) => finish(tx, request));
}

/** Puts the new document of a rescore in the place of the one before, in one step; after a failure that one stays. */
export async function finishRescore(
  em: EntityManager,
  request: RescoreInput & { failed: string | null },
): Promise<void> {
  const { agentId, runId, nth, failed } = request;
  await em.transactional(async (tx) => {
    const run = await loadRun(tx, runId, true);
    if (run === null || !run.rescoring || run.rescores !== nth) return;
    const message = failed === null ? 'Scored again.' : `It could not be scored again, so the result stays. ${failed}`;
    await endRescore(tx, runId, nth, message);
    if (failed === null) await tell(tx, run, nth, `run:${runId}/${nth}`);
    await publishEvent(tx, { agentId, kind: 'run.changed', ref: runId });
  });
}

/** Ends a run whose result can't be written: it fails with the sentence, and its budget is free again. */
export async function abandonRun(
  em: EntityManager,
  { agentId, runId, retry = 0, message }: RunInput & { message: string },
): Promise<{ status: RunStatus; message: string }> {
  const status: RunStatus = retry > 0 ? 'complete' : 'failed';
  await em.transactional(async (tx) => {
    const run = await loadRun(tx, runId, true);
    if (run === null || run.finishedAt !== null) return;
    await settleBudget(tx, runId);
    await (status === 'failed' ? voidCells(tx, runId) : closeCells(tx, runId, message));
    await moveRun(tx, runId, [run.status], status, { message });
    await releaseCopies(tx, run);
    await publishEvent(tx, { agentId, kind: 'run.changed', ref: runId });
  });
  return { status, message };
}

async function finish(tx: EntityManager, { runId, retry = 0, outcome }: RunInput & { outcome: RunOutcome }) {
  const run = await loadRun(tx, runId, true);
  if (run === null) throw new Error('The run was deleted.');
  if (run.finishedAt !== null) return { status: run.status, message: run.message };
  await settleBudget(tx, runId);
  // The whole run waited, and none of it is left out because of the budget alone.
  if (run.status === 'awaiting_approval') await coverCells(tx, runId, await playableCells(tx, runId));
  const end = endOf(run, retry, outcome);
  await (end.status === 'failed' ? voidCells(tx, runId) : closeCells(tx, runId, end.message));
  await moveRun(tx, runId, OPEN, end.status, { message: end.message });
  await releaseCopies(tx, run);
  if (run.kind === 'calibration' && outcome.how === 'played') await applyCalibration(tx, runId);
  await tell(tx, run, run.rescores, retry === 0 ? `run:${runId}/0` : `run:${runId}/${run.rescores}/retry/${retry}`);
  await publishEvent(tx, { agentId: run.agentId, kind: 'run.changed', ref: runId });
  return end;
}

async function tell(tx: EntityManager, run: RunView, score: number, eventKey: string): Promise<void> {
  const { workspaceId, agentId, id: runId } = run;
  const { body } = await finishDocument(tx, { workspaceId, agentId, runId, score });
  await enqueueDeliveries(tx, { workspaceId, agentId, event: 'run.completed', eventKey, body });
}

/** A run of which a person has a part of the result is complete; a second try leaves the result that there was. */
function endOf(run: RunView, retry: number, outcome: RunOutcome): { status: RunStatus; message: string | null } {
  const { cellsDone: completed, cellsRunnable: runnable, decisionReason: reason } = run;
  const ended = { message: run.message, completed, runnable, reason };
  switch (outcome.how) {
    case 'played':
      return { status: 'complete', message: run.message };
    case 'cancelled':
      return { status: completed > 0 ? 'complete' : 'refused', message: cancelledMessage(ended) };
    case 'refused':
      return { status: retry > 0 ? 'complete' : 'refused', message: outcome.message };
    case 'failed':
      return { status: retry > 0 ? 'complete' : 'failed', message: failedMessage(ended, outcome.message) };
    default:
      return outcome satisfies never;
  }
}
