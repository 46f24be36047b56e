import { sql } from 'kysely';
import { allowancesOf, type Period, periodOf } from '../../domain/limits/plans.ts';
import { isOpen } from '../calls/conditions.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { alsoOfAgent, anyId, given, now } from '../expressions.ts';
import { queryPlanned } from '../planned.ts';
import { readPlan } from '../system/plans.ts';

/** How many calls a workspace may still have analysed in its present period. */
export interface CallAllowance {
  /** Null: unlimited. */
  limit: number | null;
  used: number;
  period: Period;
  /** Starts of the periods that a call of now is counted in: the plan's own, and the calendar month that Free goes by. */
  countedIn: string[];
}

interface Owner {
  workspaceId: string;
  agentId: string;
}

/** What the plan allows now, and what of it is used. */
export async function readCallAllowance(em: EntityManager, workspaceId: string): Promise<CallAllowance> {
  const terms = await readTerms(em, workspaceId, false);
  return { ...terms, used: await readUsed(em, workspaceId, terms) };
}

type Terms = Omit<CallAllowance, 'used'>;

/** @param lock holds the workspace until the transaction ends, so that nobody else draws from what is read after it. */
async function readTerms(em: EntityManager, workspaceId: string, lock: boolean): Promise<Terms> {
  const { plan, set, planSince, now } = await readPlan(em, workspaceId, lock);
  const period = periodOf(plan, planSince, now);
  const month = periodOf('free_org', planSince, now);
  return {
    limit: allowancesOf(plan, set).analysedCalls,
    period,
    countedIn: [...new Set([period, month].map(({ startsAt }) => startsAt.toISOString()))].sort(),
  };
}

/** A statement of its own: under a lock it must see what was counted while the lock was waited for. */
async function readUsed(em: EntityManager, workspaceId: string, { period }: Terms): Promise<number> {
  const usage = await db(em)
    .selectFrom('plan_usage')
    .where('workspaceId', '=', workspaceId)
    .where('startsAt', '=', period.startsAt.toISOString())
    .select('analysedCalls')
    .executeTakeFirst();
  return usage?.analysedCalls ?? 0;
}

/**
 * Of these calls, those that the allowance covers now: oldest first, up to the first that it does not. A call that was
 * analysed before draws nothing again. Nothing is taken: `drawCalls` does that beside the analysis itself.
 */
export async function coveredCalls(
  em: EntityManager,
  owner: Owner,
  callIds: readonly string[],
): Promise<{ callIds: string[]; heldUntil: string | null }> {
  const all = { callIds: [...callIds], heldUntil: null };
  if (callIds.length === 0) return all;
  const terms = await readTerms(em, owner.workspaceId, false);
  const over = await overAllowance(em, owner, terms, callIds);
  if (over.size === 0) return all;
  return { callIds: callIds.filter((id) => !over.has(id)), heldUntil: terms.period.endsAt.toISOString() };
}

export interface Draw {
  /** Calls that the allowance does not cover: they stay as they are. */
  over: ReadonlySet<string>;
  /** Counts the others as used, once they are stored. Last, as it keeps others of the workspace waiting until the end. */
  count(): Promise<void>;
}

/**
 * Draws calls from the allowance in the transaction that stores their analyses, so that what is counted and what is
 * analysed commit together. Where there is a limit the workspace is held meanwhile: agents of one workspace that store
 * at once can't both take what is left.
 */
export async function drawCalls(tx: EntityManager, owner: Owner, callIds: readonly string[]): Promise<Draw> {
  if (callIds.length === 0) return { over: new Set(), count: async () => {} };
  let terms = await readTerms(tx, owner.workspaceId, false);
  if (terms.limit !== null) terms = await readTerms(tx, owner.workspaceId, true);
  const over = await overAllowance(tx, owner, terms, callIds);
  const drawn = callIds.filter((id) => !over.has(id));
  return { over, count: () => countDrawn(tx, owner, terms.countedIn, drawn) };
}

/** What calls draw: one for each 10 minutes started. Demo agents, copies too, draw nothing: their calls are made up. */
const priced = (em: EntityManager, { agentId }: Owner, callIds: readonly string[]) =>
  db(em)
    .selectFrom('calls as c')
    .innerJoin('agents as a', 'a.id', 'c.agentId')
    .where('c.id', '=', anyId(callIds))
    .where(alsoOfAgent('c', agentId))
    .select(['c.id', 'c.state', 'c.sortAt'])
    .select((eb) =>
      eb
        .case()
        .when('a.source', '=', 'demo')
        .then(0)
        .else(sql<number>`greatest(1, ceil(c.duration_ms / 600000.0))::int`)
        .end()
        .as('cost'),
    );

/** Calls that the allowance does not cover, from the oldest that does not fit on; those that have a reading are covered. */
async function overAllowance(
  em: EntityManager,
  owner: Owner,
  terms: Terms,
  callIds: readonly string[],
): Promise<Set<string>> {
  if (terms.limit === null) return new Set();
  const used = await readUsed(em, owner.workspaceId, terms);
  const over = await db(em)
    .with('drawing', (within) =>
      within
        .selectFrom(priced(em, owner, callIds).where('c.state', '<>', 'analysed').as('call'))
        .select(['id', 'cost'])
        .select(({ fn }) =>
          fn
            .sum<number>('cost')
            .over((over) => over.orderBy('sortAt').orderBy('id'))
            .as('total'),
        ),
    )
    .selectFrom('drawing')
    .where('cost', '>', 0)
    .where('total', '>', terms.limit - used)
    .select('id')
    .execute();
  return new Set(over.map(({ id }) => id));
}

/** With it, imports that had ended see their late calls leave the waiting ones: see `noteLateCalls`. */
async function countDrawn(em: EntityManager, owner: Owner, startsAt: string[], drawn: string[]): Promise<void> {
  if (drawn.length === 0) return;
  const starts = startsAt.toSorted().map((start) => ({ workspaceId: owner.workspaceId, startsAt: start }));
  const counted = db(em)
    .with('late', () => lateCalls(em, drawn, 'analysed'))
    .with('drawn', (within) =>
      within.selectFrom(priced(em, owner, drawn).as('call')).select(({ fn }) => fn.sum<number>('cost').as('calls')),
    )
    .insertInto('plan_usage')
    .columns(['workspaceId', 'startsAt', 'analysedCalls'])
    .expression((eb) =>
      eb
        .selectFrom('drawn')
        .innerJoin(given('plan_usage', starts), (join) => join.onTrue())
        .where('drawn.calls', '>', 0)
        .select(['given.workspaceId', 'given.startsAt', 'drawn.calls'])
        .orderBy('given.startsAt'),
    )
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'startsAt']).doUpdateSet((eb) => ({
        analysedCalls: eb('plan_usage.analysedCalls', '+', eb.ref('excluded.analysedCalls')),
      })),
    );
  await queryPlanned(em, counted);
}

/** Calls of an agent that wait for their first analysis: all of them, and those that one import stored. */
export function countWaiting(
  em: EntityManager,
  agentId: string,
  importId: string | null,
): Promise<{ all: number; ofImport: number }> {
  return db(em)
    .selectFrom('calls')
    .where('agentId', '=', agentId)
    .where('state', '=', 'waiting')
    .where(isOpen)
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('importId', '=', importId).as('ofImport'),
    ])
    .executeTakeFirstOrThrow();
}

/**
 * Calls that waited when their import had ended leave its waiting ones: analysed, or kept with a reason. In the
 * transaction that changes the calls, so that each is counted once; an import that goes on counts for itself.
 */
export async function noteLateCalls(
  em: EntityManager,
  callIds: readonly string[],
  became: 'analysed' | 'failed',
): Promise<void> {
  if (callIds.length > 0) await lateCalls(em, callIds, became).execute();
}

function lateCalls(em: EntityManager, callIds: readonly string[], became: 'analysed' | 'failed') {
  const ofImports = db(em)
    .selectFrom('calls')
    .where('id', '=', anyId(callIds))
    .where('importId', 'is not', null)
    .select(['importId', ({ fn }) => fn.countAll<number>().as('calls')])
    .groupBy('importId');
  return db(em)
    .updateTable('imports')
    .from(ofImports.as('late'))
    .whereRef('imports.id', '=', 'late.importId')
    .where('imports.status', 'in', ['complete', 'failed', 'cancelled'])
    .where('imports.waiting', '>', 0)
    .set((eb) => ({
      waiting: eb.fn<number>('greatest', [eb.lit(0), eb('imports.waiting', '-', eb.ref('late.calls'))]),
      [became]: eb(`imports.${became}`, '+', eb.fn<number>('least', ['imports.waiting', 'late.calls'])),
      updatedAt: now,
    }));
}
