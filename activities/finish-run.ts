import type { EntityManager } from '../src/db/database.ts';
import { settleBudget } from '../src/db/queries/budgets.ts';
import { endRescore } from '../src/db/queries/decide-runs.ts';
import { enqueueDeliveries } from '../src/db/queries/deliveries.ts';
import { noteEvent } from '../src/db/queries/events.ts';
import { closeCells, voidCells } from '../src/db/queries/run-cells.ts';
import { loadRun, moveRun, type RunView } from '../src/db/queries/runs.ts';
import { applyCalibration } from '../src/db/queries/tests.ts';
import { cancelledWords, failedWords } from '../src/domain/runs/run-words.ts';
import type { RunStatus } from '../src/domain/vocabulary.ts';
import type { RescoreInput, RunInput } from '../src/durable/run.ts';
import type { ActivityDeps } from './deps.ts';
import { whileBeating } from './heart.ts';
import { finishDocument } from './run-document.ts';

/** How a run ends, as its workflow saw it. */
export type RunOutcome =
  | { how: 'played' }
  | { how: 'cancelled' }
  /** The sentence says why. */
  | { how: 'refused' | 'failed'; message: string };

const OPEN: readonly RunStatus[] = ['queued', 'awaiting_approval', 'running'];

/** Ends of runs and of rescores: all that belongs to one is one transaction, and doing it again changes nothing. */
export function createFinishRun({ database }: ActivityDeps) {
  return {
    /** Settles the budgets, writes the result document, and tells of it: the bytes that webhooks get are those of the document. */
    async finishRun(
      request: RunInput & { outcome: RunOutcome },
    ): Promise<{ status: RunStatus; message: string | null }> {
      return whileBeating(
        () => ({ runId: request.runId }),
        () => database.within(request.workspaceId).transactional((tx) => finish(tx, request)),
      );
    },

    /** Puts the new document in the place of the one before, in one step; after a failure that one stays. */
    async finishRescore(request: RescoreInput & { failed: string | null }): Promise<void> {
      const { workspaceId, agentId, runId, nth, failed } = request;
      await whileBeating(
        () => ({ runId }),
        () =>
          database.within(workspaceId).transactional(async (tx) => {
            const run = await loadRun(tx, runId, true);
            if (run === null || !run.rescoring || run.rescores !== nth) return;
            const message =
              failed === null ? 'Scored again.' : `It could not be scored again, so the result stays. ${failed}`;
            await endRescore(tx, runId, nth, message);
            if (failed === null) await tell(tx, run, nth, `run:${runId}/${nth}`);
            await noteEvent(tx, { agentId, kind: 'run.changed', ref: runId });
          }),
      );
    },
  };
}

async function finish(tx: EntityManager, { runId, retry = 0, outcome }: RunInput & { outcome: RunOutcome }) {
  const run = await loadRun(tx, runId, true);
  if (run === null) throw new Error('The run was deleted.');
  if (run.finishedAt !== null) return { status: run.status, message: run.message };
  await settleBudget(tx, runId);
  const end = endOf(run, retry, outcome);
  await (end.status === 'failed' ? voidCells(tx, runId) : closeCells(tx, runId));
  await moveRun(tx, runId, OPEN, end.status, { message: end.message });
  if (run.kind === 'calibration' && outcome.how === 'played') await applyCalibration(tx, runId);
  await tell(tx, run, run.rescores, retry === 0 ? `run:${runId}/0` : `run:${runId}/${run.rescores}/retry/${retry}`);
  await noteEvent(tx, { agentId: run.agentId, kind: 'run.changed', ref: runId });
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
      return { status: completed > 0 ? 'complete' : 'refused', message: cancelledWords(ended) };
    case 'refused':
      return { status: retry > 0 ? 'complete' : 'refused', message: outcome.message };
    case 'failed':
      return { status: retry > 0 ? 'complete' : 'failed', message: failedWords(ended, outcome.message) };
    default:
      return outcome satisfies never;
  }
}
