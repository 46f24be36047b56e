import { sql } from 'kysely';
import { allowancesOf, type Period, periodOf } from '../../domain/limits/plans.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
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
  const { rows } = await sql<{ used: number }>`
    select analysed_calls as used from plan_usage
    where workspace_id = ${workspaceId} and starts_at = ${period.startsAt.toISOString()}::timestamptz
  `.execute(db(em));
  return rows[0]?.used ?? 0;
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

/** One for each 10 minutes started. Demo agents, copies too, draw nothing: their calls are made up. */
const cost = sql`case when a.source = 'demo' then 0 else greatest(1, ceil(c.duration_ms / 600000.0))::int end`;

/** Calls that the allowance does not cover, from the oldest that does not fit on; those that have a reading are covered. */
async function overAllowance(
  em: EntityManager,
  owner: Owner,
  terms: Terms,
  callIds: readonly string[],
): Promise<Set<string>> {
  if (terms.limit === null) return new Set();
  const used = await readUsed(em, owner.workspaceId, terms);
  const { rows } = await sql<{ id: string }>`
    select id from (
      select c.id, ${cost} as cost, sum(${cost}) over (order by c.sort_at, c.id) as total
      from calls c join agents a on a.id = c.agent_id
      where c.agent_id = ${owner.agentId} and c.id = any(${[...callIds]}::uuid[]) and c.state <> 'analysed') as drawing
    where cost > 0 and total > ${terms.limit - used}
  `.execute(db(em));
  return new Set(rows.map(({ id }) => id));
}

/** With it, imports that had ended see their late calls leave the waiting ones: see `noteLateCalls`. */
async function countDrawn(em: EntityManager, owner: Owner, startsAt: string[], drawn: string[]): Promise<void> {
  if (drawn.length === 0) return;
  await sql`
    with late as (${lateCalls(drawn, 'analysed')}), drawn as (
      select sum(${cost})::int as calls from calls c join agents a on a.id = c.agent_id
      where c.agent_id = ${owner.agentId} and c.id = any(${drawn}::uuid[])
    )
    insert into plan_usage (workspace_id, starts_at, analysed_calls)
    select ${owner.workspaceId}, starts_at, drawn.calls
    from drawn, unnest(${startsAt}::timestamptz[]) as starts_at where drawn.calls > 0 order by starts_at
    on conflict (workspace_id, starts_at) do update set analysed_calls = plan_usage.analysed_calls + excluded.analysed_calls
  `.execute(db(em));
}

/** Calls of an agent that wait for their first analysis: all of them, and those that one import stored. */
export async function countWaiting(
  em: EntityManager,
  agentId: string,
  importId: string | null,
): Promise<{ all: number; ofImport: number }> {
  const { rows } = await sql<{ all: number; ofImport: number }>`
    select count(*)::int as "all", (count(*) filter (where import_id = ${importId}::uuid))::int as of_import
    from calls where agent_id = ${agentId} and state = 'waiting' and (state <> 'analysed' or reanalyse)
  `.execute(db(em));
  return rows[0] ?? { all: 0, ofImport: 0 };
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
  if (callIds.length > 0) await lateCalls(callIds, became).execute(db(em));
}

const lateCalls = (callIds: readonly string[], became: 'analysed' | 'failed') => sql`
  update imports set waiting = greatest(0, imports.waiting - of_import.calls), updated_at = now(),
    ${sql.ref(became)} = imports.${sql.ref(became)} + least(imports.waiting, of_import.calls)
  from (select import_id, count(*)::int as calls from calls
    where id = any(${[...callIds]}::uuid[]) and import_id is not null group by import_id) as of_import
  where imports.id = of_import.import_id and imports.status in ('complete', 'failed', 'cancelled') and imports.waiting > 0
`;
