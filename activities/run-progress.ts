import type { EntityManager } from '../src/db/database.ts';
import {
  budgetsLeft,
  drawTestCalls,
  holdBudget,
  leastLeft,
  loadReservation,
  lockBudgets,
  noteTestCalls,
  settleBudget,
} from '../src/db/queries/budgets.ts';
import { enqueueDeliveries } from '../src/db/queries/deliveries.ts';
import { noteEvent, noteRunProgress } from '../src/db/queries/events.ts';
import {
  attemptsToRescore,
  cellsToPlay,
  closeCells,
  endCell,
  partsToPlay,
  voidCells,
} from '../src/db/queries/run-cells.ts';
import { loadPlayTerms } from '../src/db/queries/run-terms.ts';
import { coverCells, loadRun, moveRun, type RunView } from '../src/db/queries/runs.ts';
import { envelopeBody } from '../src/domain/delivery/envelope.ts';
import { attemptsAtMost, coveredCells, nanoOfUsd } from '../src/domain/limits/run-cost.ts';
import {
  approvedWords,
  type Coverage,
  coverageWords,
  noTestCallsWords,
  overBudgetWords,
  uncoveredWords,
} from '../src/domain/runs/run-words.ts';
import { simulationTerms } from '../src/domain/runs/simulation-terms.ts';
import type { RunStatus } from '../src/domain/vocabulary.ts';
import {
  APPROVAL_MS,
  type AttemptKey,
  type CellKey,
  type CellToPlay,
  type RescoreInput,
  type RunInput,
} from '../src/durable/run.ts';
import { requireSource } from './agent-platform.ts';
import type { ActivityDeps } from './deps.ts';

export type RunPlan =
  | { state: 'play'; parts: number[]; total: number; completed: number; atOnce: number }
  /** `waitsFor` says for whom, and until when. */
  | { state: 'wait'; ms: number; waitsFor: string }
  | { state: 'refused'; message: string }
  | { state: 'cancelled' }
  /** It has ended before. */
  | { state: 'over' };

export interface PlanRequest extends RunInput {
  /** The time for approving it is over. */
  expired: boolean;
}

export interface PartRequest extends RunInput {
  from: number;
  to: number;
}

/** What runs write into the record about themselves: short transactions, each safe to repeat. */
export function createRunProgress({ database }: ActivityDeps) {
  return {
    /** Reserves what the run may cost, or says what it waits for, or why it ends. The record decides, however often it is asked. */
    async planRun(request: PlanRequest): Promise<RunPlan> {
      return database.within(request.workspaceId).transactional(async (tx) => {
        const run = await loadRun(tx, request.runId, true);
        if (run === null || run.finishedAt !== null) return { state: 'over' };
        if (run.decision === 'cancelled') return { state: 'cancelled' };
        if (run.decision === 'refused') return { state: 'refused', message: refusedWords(run) };
        const play = (request.retry ?? 0) + 1;
        const reservation = await loadReservation(tx, run.id);
        if (reservation !== null && reservation.plays >= play) return playing(tx, run);
        if (run.status === 'awaiting_approval' && run.decision === null) {
          if (!request.expired) return waiting(run);
          const message = 'Nobody approved it in time, so nothing was played.';
          return { state: 'refused', message };
        }
        return reserve(tx, request, run, play, reservation?.testCalls ?? 0);
      });
    },

    /** The cells of one part that have no result yet. */
    async cellsOfPart({ workspaceId, runId, from, to }: PartRequest): Promise<CellToPlay[]> {
      return cellsToPlay(database.within(workspaceId), runId, from, to);
    },

    /** The next attempts of a rescore, in their order. */
    async attemptsOfRescore(
      request: RescoreInput & { afterId: string | null; limit: number },
    ): Promise<(AttemptKey & { id: string })[]> {
      const { workspaceId, runId, afterId, limit } = request;
      return attemptsToRescore(database.within(workspaceId), runId, afterId, limit);
    },

    /** Ends a run whose result can't be written: it fails with the sentence, and its budget is free again. */
    async abandonRun({ workspaceId, agentId, runId, retry = 0, message }: RunInput & { message: string }) {
      const status: RunStatus = retry > 0 ? 'complete' : 'failed';
      await database.within(workspaceId).transactional(async (tx) => {
        const run = await loadRun(tx, runId, true);
        if (run === null || run.finishedAt !== null) return;
        await settleBudget(tx, runId);
        await (status === 'failed' ? voidCells(tx, runId) : closeCells(tx, runId));
        await moveRun(tx, runId, [run.status], status, { message });
        await noteEvent(tx, { agentId, kind: 'run.changed', ref: runId });
      });
      return { status, message };
    },

    /** A cell whose attempt fell over a fault of ours ends in an error with its sentence; the others go on. */
    async failCell({ workspaceId, agentId, runId, reason, ...cell }: RunInput & CellKey & { reason: string }) {
      await database.within(workspaceId).transactional(async (tx) => {
        if (!(await endCell(tx, runId, cell, { result: 'error', k: 0, n: 0, reason }))) return;
        await noteRunProgress(tx, agentId, runId);
      });
    },
  };
}

const refusedWords = ({ decisionReason }: RunView) =>
  decisionReason === null ? 'Refused by a person.' : `Refused by a person: ${decisionReason}`;

async function playing(tx: EntityManager, run: RunView): Promise<RunPlan> {
  return {
    state: 'play',
    parts: await partsToPlay(tx, run.id),
    total: run.cellsRunnable,
    completed: run.cellsDone,
    atOnce: attemptsAtMost(run) === 3 ? 3 : 1,
  };
}

function waiting({ waitsUntil, message }: RunView): RunPlan {
  const ms = Math.max(0, Date.parse(waitsUntil ?? '') - Date.now());
  return { state: 'wait', ms: Number.isNaN(ms) ? 0 : ms, waitsFor: message ?? 'waits for a person' };
}

async function reserve(
  tx: EntityManager,
  request: PlanRequest,
  run: RunView,
  play: number,
  drawnBefore: number,
): Promise<RunPlan> {
  const { workspaceId, agentId, apiKeyId } = run;
  const isRetry = play > 1;
  if (run.trigger === 'auto' && !isRetry && drawnBefore === 0) {
    const drawn = await drawTestCalls(tx, workspaceId, run.cellsRequested);
    if (!drawn.drawn) return { state: 'refused', message: noTestCallsWords(run.cellsRequested, drawn.plan) };
    await noteTestCalls(tx, run.id, run.cellsRequested, drawn.countedIn);
  }
  const payer = { workspaceId, agentId, apiKeyId };
  await lockBudgets(tx, payer);
  const least = leastLeft(await budgetsLeft(tx, payer));
  const left = least?.leftNanoUsd ?? null;
  const cellNanoUsd = await cellPrice(tx, run);
  const wanted = isRetry ? run.cellsRunnable - run.cellsDone : run.cellsRequested;
  const fits = run.approvalMode === 'all' ? wanted : coveredCells(left, cellNanoUsd, wanted);
  const coverage: Coverage = { wanted, fits, cellNanoUsd, leftNanoUsd: left ?? 0, of: least?.of ?? 'agent' };
  if (fits < wanted && run.trigger === 'auto' && run.decision === null && !isRetry) {
    return awaitApproval(tx, run, request.approvalMs ?? APPROVAL_MS, coverage);
  }
  if (fits === 0 || (isRetry && fits < wanted)) return { state: 'refused', message: uncoveredWords(coverage) };
  await holdBudget(tx, run.id, play, fits * cellNanoUsd);
  if (!isRetry) await coverCells(tx, run.id, fits);
  const words = run.approvalMode === 'all' && least !== null ? approvedWords : coverageWords;
  const message = isRetry ? run.message : withNote(words(coverage), run);
  await moveRun(tx, run.id, ['queued', 'awaiting_approval'], 'running', { message });
  const now = await loadRun(tx, run.id);
  if (now === null) throw new Error('A run that was just moved is not there.');
  const plan = await playing(tx, now);
  await noteEvent(tx, { agentId, kind: 'run.changed', ref: run.id });
  return plan;
}

/** What was said of the run when it was made stays beside it. */
const withNote = (words: string, { note }: RunView): string => (note === null ? words : `${words} ${note}`);

async function cellPrice(tx: EntityManager, run: RunView): Promise<number> {
  const [source, terms] = [await requireSource(tx, run.agentId), await loadPlayTerms(tx, run.agentId, run.version)];
  const usd = terms?.simulatedCallUsd ?? simulationTerms(source.provider)?.usdACall ?? 0;
  return nanoOfUsd(usd) * attemptsAtMost(run);
}

async function awaitApproval(tx: EntityManager, run: RunView, ms: number, coverage: Coverage): Promise<RunPlan> {
  const { workspaceId, agentId } = run;
  const waitsUntil = new Date(Date.now() + ms).toISOString();
  const message = withNote(overBudgetWords(coverage, waitsUntil), run);
  await moveRun(tx, run.id, ['queued'], 'awaiting_approval', { message, waitsUntil });
  const data = { runId: run.id, agentId, version: run.version, message, waitsUntil };
  await enqueueDeliveries(tx, {
    workspaceId,
    agentId,
    event: 'run.awaiting_approval',
    eventKey: `run:${run.id}`,
    body: envelopeBody('run.awaiting_approval', new Date().toISOString(), data),
  });
  await noteEvent(tx, { agentId, kind: 'run.changed', ref: run.id });
  return { state: 'wait', ms, waitsFor: message };
}
