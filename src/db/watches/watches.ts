import { expressionBuilder, sql } from 'kysely';
import type { ModelReadingMode, WatchState } from '../../domain/vocabulary.ts';
import type { WatchForm } from '../../domain/watches/watch.ts';
import { newId } from '../../ids.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, now } from '../expressions.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row, Tables } from '../tables.ts';
import { dropVerdictsOfWatch } from './verdicts.ts';

export type BacktestView = Pick<
  Row<'backtests'>,
  'revision' | 'status' | 'candidates' | 'considered' | 'inScope' | 'flagged' | 'reason' | 'createdAt' | 'updatedAt'
>;

/** A watch with its newest backtest, its verdicts counted, and the labels of its revision. */
export type WatchView = Row<'watches'> & {
  held: number;
  broken: number;
  right: number;
  wrong: number;
  backtest: BacktestView | null;
  /** What a model may do on the calls of its agent. */
  modelReading: ModelReadingMode;
};

export const formOf = (watch: Pick<WatchView, 'scopeCode' | 'expectationCode' | 'polarity'>): WatchForm => ({
  scope: watch.scopeCode,
  expectation: watch.expectationCode,
  polarity: watch.polarity,
});

const ofWatch = expressionBuilder<Tables & { w: Tables['watches'] }, 'w'>();
const counted = (column: 'held' | 'broken') =>
  ofWatch
    .selectFrom('watch_days as d')
    .whereRef('d.watchId', '=', 'w.id')
    .select(({ fn, lit }) => fn.coalesce(fn.sum<number>(column), lit(0)).as('calls'))
    .$asScalar()
    .$notNull();
const labelled = (label: 'right' | 'wrong') =>
  ofWatch
    .selectFrom('watch_samples as s')
    .whereRef('s.watchId', '=', 'w.id')
    .whereRef('s.revision', '=', 'w.revision')
    .where('s.kind', '=', 'flagged')
    .where('s.label', '=', label)
    .select(({ fn }) => fn.countAll<number>().as('samples'))
    .$asScalar()
    .$notNull();

const iso = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const newestBacktest = sql<BacktestView | null>`(
  select jsonb_build_object('revision', b.revision, 'status', b.status, 'candidates', b.candidates,
    'considered', b.considered, 'inScope', b.in_scope, 'flagged', b.flagged, 'reason', b.reason,
    'createdAt', ${iso('b.created_at')}, 'updatedAt', ${iso('b.updated_at')})
  from backtests b where b.watch_id = w.id order by b.revision desc limit 1)`;

const views = (em: EntityManager, scope: ReadScope) =>
  db(em)
    .selectFrom('watches as w')
    .innerJoin('agents as g', 'g.id', 'w.agentId')
    .where('w.agentId', '=', anyAgent(scope))
    .selectAll('w')
    .select('g.modelReading')
    .select([counted('held').as('held'), counted('broken').as('broken')])
    .select([labelled('right').as('right'), labelled('wrong').as('wrong'), newestBacktest.as('backtest')]);

export async function findWatch(em: EntityManager, scope: ReadScope, watchId: string): Promise<WatchView | null> {
  return (await views(em, scope).where('w.id', '=', watchId).executeTakeFirst()) ?? null;
}

/** What a revision looks at and expects; null where another one is in force by now. */
export async function findForm(
  em: EntityManager,
  { agentId, watchId, revision }: { agentId: string; watchId: string; revision: number },
): Promise<WatchForm | null> {
  const watch = await db(em)
    .selectFrom('watches')
    .where('id', '=', watchId)
    .where('agentId', '=', agentId)
    .where('revision', '=', revision)
    .select(['scopeCode', 'expectationCode', 'polarity'])
    .executeTakeFirst();
  return watch ? formOf(watch) : null;
}

/** Newest first; the order never changes. */
export function listWatches(
  em: EntityManager,
  scope: ReadScope,
  filter: { state: WatchState | null },
  page: ListPage,
): Promise<WatchView[]> {
  let watches = views(em, scope);
  if (filter.state) watches = watches.where('w.state', '=', filter.state);
  return newestFirst(watches, ['w.createdAt', 'w.id'], page).execute();
}

export type NewWatch = Pick<WatchView, 'workspaceId' | 'agentId' | 'name' | 'lane' | 'origin' | 'createdBy'> &
  Partial<Pick<WatchView, 'alarm'>> &
  WrittenForm;

export interface WrittenForm {
  scopeText: string;
  expectationText: string;
  form: WatchForm;
}

const columnsOf = ({ scopeText, expectationText, form }: WrittenForm) => ({
  scopeText,
  expectationText,
  scopeCode: json(form.scope),
  expectationCode: json(form.expectation),
  polarity: form.polarity,
});

/** Revision 1, a draft. @returns its id. */
export async function insertWatch(em: EntityManager, made: NewWatch): Promise<string> {
  const id = newId();
  const { workspaceId, agentId, name, lane, origin, createdBy, alarm = null } = made;
  await db(em)
    .insertInto('watches')
    .values({
      id,
      workspaceId,
      agentId,
      name,
      lane,
      origin,
      createdBy,
      alarm: alarm && json(alarm),
      state: 'draft',
      revision: 1,
      ...columnsOf(made),
    })
    .execute();
  return id;
}

/** Locked until the transaction ends, with the agent whose evidence its verdicts are: null where it is gone. */
export async function lockWatch(
  em: EntityManager,
  agentId: string,
  watchId: string,
): Promise<Pick<WatchView, 'state' | 'revision'> | null> {
  await lockAgent(em, agentId);
  const watch = db(em).selectFrom('watches').where('id', '=', watchId).where('agentId', '=', agentId);
  return (await watch.select(['state', 'revision']).forUpdate().executeTakeFirst()) ?? null;
}

export async function setWatchState(em: EntityManager, watchId: string, state: WatchState): Promise<void> {
  const set = { state, updatedAt: now, ...(state === 'live' ? {} : { failing: null }) };
  await db(em).updateTable('watches').where('id', '=', watchId).set(set).execute();
}

export async function renameWatch(
  em: EntityManager,
  watchId: string,
  { name, lane, alarm }: Pick<WatchView, 'name' | 'lane' | 'alarm'>,
): Promise<void> {
  await db(em)
    .updateTable('watches')
    .where('id', '=', watchId)
    .set({ name, lane, alarm: alarm && json(alarm), updatedAt: now })
    .execute();
}

/** Another revision: what was said of the one before, by code or by people, is of no use to it. @returns its number. */
export async function openRevision(em: EntityManager, watchId: string, written: WrittenForm | null): Promise<number> {
  const { revision } = await db(em)
    .updateTable('watches')
    .where('id', '=', watchId)
    .set((eb) => ({
      revision: eb('revision', '+', 1),
      failing: null,
      updatedAt: now,
      ...(written && columnsOf(written)),
    }))
    .returning('revision')
    .executeTakeFirstOrThrow();
  await dropVerdictsOfWatch(em, watchId);
  await db(em)
    .updateTable('backtests')
    .where('watchId', '=', watchId)
    .where('status', 'in', ['queued', 'running', 'paused'])
    .set({ status: 'cancelled', reason: 'The watch was edited.', updatedAt: now, finishedAt: now })
    .execute();
  return revision;
}
