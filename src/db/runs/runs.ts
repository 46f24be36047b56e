import { expressionBuilder, sql } from 'kysely';
import type { CellPlan } from '../../domain/runs/cell.ts';
import { EARSHOT } from '../../domain/runs/shown-trigger.ts';
import type { RunKind, RunStatus, RunTrigger } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, asId, clock, listed } from '../expressions.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row, Tables } from '../tables.ts';

/** A run as reads see it; `heldUntil` is null where its calls wait for nothing. */
export type RunView = Pick<Row<'runs'>, (typeof COLUMNS)[number] | 'heldUntil'>;

/** As `shownTrigger` says it. */
const ofRun = expressionBuilder<Tables, 'runs'>();
const triggerShown = ofRun
  .case()
  .when(ofRun.and({ createdBy: EARSHOT, trigger: 'manual' }))
  .then<RunTrigger>('auto')
  .elseRef('trigger')
  .end();

const COLUMNS = [
  'id',
  'workspaceId',
  'agentId',
  'kind',
  'trigger',
  'status',
  'message',
  'note',
  'version',
  'configHash',
  'testSetId',
  'testIds',
  'personas',
  'repeats',
  'playsCopy',
  'shadowAgentId',
  'goalId',
  'draftId',
  'draftRevision',
  'cellsRequested',
  'cellsRunnable',
  'cellsDone',
  'summary',
  'epoch',
  'platformNanoUsd',
  'serviceNanoUsd',
  'decision',
  'decisionReason',
  'approvalMode',
  'decidedBy',
  'approvedAt',
  'waitsUntil',
  'heldBecause',
  'rescores',
  'rescoring',
  'retries',
  'createdBy',
  'apiKeyId',
  'startedAt',
  'finishedAt',
  'createdAt',
  'updatedAt',
] as const;

/** A wait that is over needs nobody to take it away. */
const heldUntil = ofRun
  .case()
  .when(ofRun.and([ofRun('status', '=', 'running'), ofRun('heldUntil', '>', clock)]))
  .thenRef('heldUntil')
  .end()
  .as('heldUntil');

const OPEN = ['queued', 'awaiting_approval', 'running'] as const;

export async function findRun(em: EntityManager, scope: ReadScope, runId: string): Promise<RunView | null> {
  const run = db(em)
    .selectFrom('runs')
    .where('id', '=', runId)
    .where('agentId', '=', anyAgent(scope))
    .select(COLUMNS)
    .select(heldUntil);
  return (await run.executeTakeFirst()) ?? null;
}

/** For the work itself, which knows the workspace only. @param lock holds the row until the transaction ends. */
export async function loadRun(em: EntityManager, runId: string, lock = false): Promise<RunView | null> {
  const run = db(em).selectFrom('runs').where('id', '=', runId).select(COLUMNS).select(heldUntil);
  return (await (lock ? run.forNoKeyUpdate() : run).executeTakeFirst()) ?? null;
}

export interface RunFilter {
  status: RunStatus | null;
  trigger: RunTrigger | null;
  version: number | null;
  goalId: string | null;
}

/** Newest first; the order never changes. */
export async function listRuns(
  em: EntityManager,
  scope: ReadScope,
  filter: RunFilter,
  page: ListPage,
): Promise<RunView[]> {
  let runs = db(em).selectFrom('runs').where('agentId', '=', anyAgent(scope)).select(COLUMNS).select(heldUntil);
  if (filter.status) runs = runs.where('status', '=', filter.status);
  const { trigger } = filter;
  if (trigger) runs = runs.where((eb) => eb(triggerShown, '=', trigger));
  if (filter.version !== null) runs = runs.where('version', '=', filter.version);
  if (filter.goalId !== null) runs = runs.where('goalId', '=', filter.goalId);
  return newestFirst(runs, ['createdAt', 'id'], page).execute();
}

export interface NewRun {
  workspaceId: string;
  agentId: string;
  kind: RunKind;
  trigger: RunTrigger;
  note: string | null;
  version: number;
  configHash: string | null;
  testSetId: string | null;
  testIds: readonly string[];
  personas: readonly string[] | null;
  repeats: number | null;
  goalId?: string | null;
  /** Played in the place of the version, which is its base. */
  draft?: { id: string; revision: number } | null;
  playsCopy?: boolean;
  /** Estimates. */
  platformNanoUsd: number;
  serviceNanoUsd: number;
  /** A user id, `key:<id>`, or `earshot`. */
  createdBy: string;
  apiKeyId: string | null;
  cells: readonly CellPlan[];
}

/** @returns its id, or null where the version has had its automatic run. */
export async function insertRun(em: EntityManager, made: NewRun): Promise<string | null> {
  const { workspaceId, agentId, kind, trigger, note, version, configHash, testSetId, repeats } = made;
  const { platformNanoUsd, serviceNanoUsd, createdBy, apiKeyId, cells } = made;
  const run = await db(em)
    .insertInto('runs')
    .values({
      id: newId(),
      workspaceId,
      agentId,
      kind,
      trigger,
      message: note,
      note,
      version,
      configHash,
      testSetId,
      repeats,
      goalId: made.goalId ?? null,
      draftId: made.draft?.id ?? null,
      draftRevision: made.draft?.revision ?? null,
      playsCopy: made.playsCopy ?? false,
      testIds: [...made.testIds],
      personas: made.personas && [...made.personas],
      cellsRequested: cells.length,
      cellsRunnable: cells.filter(({ runnable }) => runnable).length,
      platformNanoUsd,
      serviceNanoUsd,
      createdBy,
      apiKeyId,
    })
    .onConflict((conflict) =>
      conflict.columns(['agentId', 'version']).where('trigger', '=', sql.lit('auto')).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!run) return null;
  if (cells.length > 0) await insertCells(em, { runId: run.id, workspaceId, agentId }, cells);
  return run.id;
}

async function insertCells(
  em: EntityManager,
  { runId, workspaceId, agentId }: { runId: string; workspaceId: string; agentId: string },
  cells: readonly CellPlan[],
): Promise<void> {
  const names = ['testId', 'persona', 'position', 'testRevision', 'source', 'lane', 'expect'] as const;
  const rules = ['guard', 'gates', 'gateReason', 'runnable', 'reason'] as const;
  await db(em)
    .insertInto('run_cells')
    .columns([...names, ...rules, 'runId', 'workspaceId', 'agentId'])
    .expression((eb) =>
      eb
        .selectFrom(
          listed(cells, {
            testId: 'uuid',
            persona: 'text',
            position: 'integer',
            testRevision: 'integer',
            source: 'text',
            lane: 'text',
            expect: 'text',
            guard: 'boolean',
            gates: 'boolean',
            gateReason: 'text',
            runnable: 'boolean',
            reason: 'text',
          }),
        )
        .select(names)
        .select(rules)
        .select([asId(runId).as('runId'), asId(workspaceId).as('workspaceId'), asId(agentId).as('agentId')]),
    )
    .execute();
}

/** Moves it on, if it stands where the caller believes. Null leaves the message as it is. */
export async function moveRun(
  em: EntityManager,
  runId: string,
  from: readonly RunStatus[],
  to: RunStatus,
  set: { message: string | null; waitsUntil?: string | null },
): Promise<boolean> {
  const ends = to === 'complete' || to === 'refused' || to === 'failed';
  const moved = await db(em)
    .updateTable('runs')
    .where('id', '=', runId)
    .where('status', 'in', from)
    .set((eb) => ({
      status: to,
      message: set.message ?? undefined,
      waitsUntil: set.waitsUntil ?? null,
      startedAt: to === 'running' ? eb.fn.coalesce('startedAt', clock) : undefined,
      finishedAt: ends ? clock : null,
      updatedAt: clock,
    }))
    .returning('id')
    .executeTakeFirst();
  return moved !== undefined;
}

export async function sayOfRun(em: EntityManager, runId: string, message: string): Promise<void> {
  await db(em).updateTable('runs').where('id', '=', runId).set({ message, updatedAt: clock }).execute();
}

/** Cells of a run that has not begun which somebody can play; those that nobody can stand behind them. */
export async function playableCells(em: EntityManager, runId: string): Promise<number> {
  const cells = db(em).selectFrom('run_cells').where('runId', '=', runId).where('reason', 'is', null);
  const counted = cells.select((eb) => eb.fn.countAll<number>().as('count'));
  return (await counted.executeTakeFirst())?.count ?? 0;
}

/** Cells beyond the first so many are not run: the budget does not cover them. */
export async function coverCells(em: EntityManager, runId: string, runnable: number): Promise<void> {
  const isCovered = expressionBuilder<Tables, 'run_cells'>()('position', '<', runnable).$castTo<boolean>();
  await db(em)
    .with('covered', (of) =>
      of.updateTable('runs').where('id', '=', runId).set({ cellsRunnable: runnable, updatedAt: clock }),
    )
    .updateTable('run_cells')
    .where('runId', '=', runId)
    .where('runnable', 'is distinct from', isCovered)
    .set({ runnable: isCovered })
    .execute();
}

/** Whether the workflow of this id belongs to a run that has not ended: a message to it may come before its start. */
export async function isRunOpen(em: EntityManager, workflowId: string): Promise<boolean> {
  const runId = /^run\/([0-9a-f-]{36})(\/retry\/\d+)?$/.exec(workflowId)?.[1];
  if (runId === undefined) return false;
  const run = db(em).selectFrom('runs').where('id', '=', runId).where('status', 'in', OPEN).select('id');
  return (await run.executeTakeFirst()) !== undefined;
}

/** A run that must have a workflow. */
export interface RunUnderWay {
  runId: string;
  agentId: string;
  agentName: string;
  /** Second tries of its errors that were begun. */
  retries: number;
  /** The rescore that goes on; null: the run itself does. */
  rescore: number | null;
}

/** Runs that are open or scored again, but for those that something happened to within the last minute. */
export function runsUnderWay(
  em: EntityManager,
  workspaceId: string,
  afterId: string | null,
  limit: number,
): Promise<RunUnderWay[]> {
  let runs = db(em)
    .selectFrom('runs as r')
    .innerJoin('agents as a', 'a.id', 'r.agentId')
    .where('r.workspaceId', '=', workspaceId)
    .where((eb) => eb.or([eb('r.status', 'in', OPEN), eb('r.rescoring', '=', true)]))
    .where('r.updatedAt', '<', ago(1, 'minutes'));
  if (afterId !== null) runs = runs.where('r.id', '>', afterId);
  return runs
    .select(['r.id as runId', 'r.agentId', 'a.name as agentName', 'r.retries'])
    .select((eb) => eb.case().when('r.rescoring', '=', true).then(eb.ref('r.rescores')).end().as('rescore'))
    .orderBy('r.id')
    .limit(limit)
    .execute();
}
