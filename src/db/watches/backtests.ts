import { type Expression, type SqlBool, sql } from 'kysely';
import { stepsNamed, toolNames } from '../../domain/tests/named-parts.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import type { BacktestStatus } from '../../domain/vocabulary.ts';
import { drawSamples } from '../../domain/watches/draw-samples.ts';
import type { WatchScope } from '../../domain/watches/watch.ts';
import { ofCall } from '../calls/conditions.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { publishEvent } from '../events/events.ts';
import { ago, json, now } from '../expressions.ts';
import type { Row } from '../tables.ts';
import { type VerdictsOfCall, writeVerdicts } from './verdicts.ts';
import { lockWatch, setWatchState } from './watches.ts';

export interface BacktestKey {
  agentId: string;
  watchId: string;
  revision: number;
}

/** Calls in scope that a backtest is over, newest first, and calls that it looks at to find them. */
export const IN_SCOPE_AT_MOST = 1000;
export const CONSIDERED_AT_MOST = 100_000;

const OPEN = ['queued', 'running', 'paused'] as const satisfies BacktestStatus[];

export async function insertBacktest(
  em: EntityManager,
  made: BacktestKey & { workspaceId: string; createdBy: string },
): Promise<void> {
  const { workspaceId, agentId, watchId, revision, createdBy } = made;
  await db(em).insertInto('backtests').values({ workspaceId, agentId, watchId, revision, createdBy }).execute();
}

const theOne = (em: EntityManager, { watchId, revision }: BacktestKey) =>
  db(em).selectFrom('backtests').where('watchId', '=', watchId).where('revision', '=', revision);

export async function findBacktest(em: EntityManager, key: BacktestKey): Promise<Row<'backtests'> | null> {
  return (await theOne(em, key).selectAll().executeTakeFirst()) ?? null;
}

export type BacktestUnderWay = BacktestKey & { workspaceId: string; agentName: string };

/** Open ones of which nothing was heard for a minute, but for those whose agent is being erased. */
export function backtestsUnderWay(em: EntityManager, workspaceId: string): Promise<BacktestUnderWay[]> {
  return db(em)
    .selectFrom('backtests as b')
    .innerJoin('agents as a', 'a.id', 'b.agentId')
    .where('b.workspaceId', '=', workspaceId)
    .where('b.status', 'in', [...OPEN])
    .where('b.updatedAt', '<', ago(1, 'minutes'))
    .where('a.erasing', '=', false)
    .select(['b.workspaceId', 'b.agentId', 'b.watchId', 'b.revision', 'a.name as agentName'])
    .execute();
}

/** Moves it on where it stands where the caller believes. @returns whether it did. */
export async function moveBacktest(
  em: EntityManager,
  { watchId, revision }: BacktestKey,
  from: readonly BacktestStatus[],
  to: BacktestStatus,
  reason: string | null = null,
): Promise<boolean> {
  const isOver = to === 'complete' || to === 'cancelled' || to === 'failed';
  const moved = await db(em)
    .updateTable('backtests')
    .where('watchId', '=', watchId)
    .where('revision', '=', revision)
    .where('status', 'in', [...from])
    .set({ status: to, reason, updatedAt: now, finishedAt: isOver ? now : null })
    .returning('watchId')
    .executeTakeFirst();
  return moved !== undefined;
}

/** Ends it without a result; the watch is a draft again, unless somebody has edited it meanwhile. */
export async function endBacktest(
  em: EntityManager,
  key: BacktestKey,
  to: 'cancelled' | 'failed',
  reason: string | null,
): Promise<boolean> {
  return em.transactional(async (tx) => {
    const watch = await lockWatch(tx, key.agentId, key.watchId);
    if (!(await moveBacktest(tx, key, OPEN, to, reason))) return false;
    if (watch?.state === 'backtesting' && watch.revision === key.revision) {
      await setWatchState(tx, key.watchId, 'draft');
      await publishEvent(tx, { agentId: key.agentId, kind: 'watch.changed', ref: key.watchId });
    }
    return true;
  });
}

/**
 * Lets it run, with the number of calls that it may look at; one that was opened before stays as it is.
 * @returns where it stands then.
 */
export async function openBacktest(
  em: EntityManager,
  key: BacktestKey,
  scope: WatchScope,
): Promise<Row<'backtests'> | null> {
  const standing = await findBacktest(em, key);
  if (standing?.status !== 'queued') return standing;
  const all = await countCandidates(em, key.agentId, scope);
  await db(em)
    .updateTable('backtests')
    .where('watchId', '=', key.watchId)
    .where('revision', '=', key.revision)
    .where('status', '=', 'queued')
    .set({ status: 'running', candidates: all, updatedAt: now })
    .execute();
  return findBacktest(em, key);
}

async function countCandidates(em: EntityManager, agentId: string, scope: WatchScope): Promise<number> {
  const inScope = await mayBeInScope(em, agentId, scope);
  const found = candidates(em, agentId).where(inScope).select('c.id').limit(CONSIDERED_AT_MOST);
  const { calls } = await db(em)
    .selectFrom(found.as('found'))
    .select(({ fn }) => fn.countAll<number>().as('calls'))
    .executeTakeFirstOrThrow();
  return calls;
}

export interface Candidate {
  id: string;
  sortAt: string;
}

/** The next calls that the record's columns do not rule out, newest first. */
export async function nextCandidates(
  em: EntityManager,
  { agentId, cursorAt, cursorId }: Pick<Row<'backtests'>, 'agentId' | 'cursorAt' | 'cursorId'>,
  scope: WatchScope,
  limit: number,
): Promise<Candidate[]> {
  let calls = candidates(em, agentId).where(await mayBeInScope(em, agentId, scope));
  if (cursorAt !== null && cursorId !== null) {
    calls = calls.where((eb) => eb(eb.refTuple('c.sortAt', 'c.id'), '<', eb.tuple(cursorAt, cursorId)));
  }
  return calls.select(['c.id', 'c.sortAt']).orderBy('c.sortAt', 'desc').orderBy('c.id', 'desc').limit(limit).execute();
}

const candidates = (em: EntityManager, agentId: string) =>
  db(em).selectFrom('calls as c').where('c.agentId', '=', agentId).where('c.state', '=', 'analysed');

async function mayBeInScope(em: EntityManager, agentId: string, scope: WatchScope): Promise<Expression<SqlBool>> {
  const { fromVersion, toVersion } = scope.calls ?? {};
  return ofCall.and([
    await mayBeInBase(em, agentId, scope),
    ...(fromVersion === undefined ? [] : [ofCall('c.version', '>=', fromVersion)]),
    ...(toVersion === undefined ? [] : [ofCall('c.version', '<=', toVersion)]),
  ]);
}

async function mayBeInBase(em: EntityManager, agentId: string, scope: WatchScope): Promise<Expression<SqlBool>> {
  const reachedTool = async (tool: string) =>
    reached(agentId, 'tool', await namesOf(em, agentId, (one) => toolIds(tool, one)));
  switch (scope.kind) {
    case 'all_calls':
    case 'caller_said':
      return ofCall('c.callerSpoke', '=', true);
    case 'tool_called':
      return reachedTool(scope.tool);
    case 'tool_failed':
      return ofCall.and([ofCall('c.toolFailures', '>', 0), await reachedTool(scope.tool)]);
    case 'step_reached': {
      const steps = await namesOf(em, agentId, (one) => [scope.step, ...stepsNamed(scope.step, one)]);
      return reached(agentId, 'node', steps);
    }
    case 'intent':
      return ofCall('c.intentSlug', '=', scope.intent);
    case 'outcome':
      return ofCall('c.outcome', '=', scope.outcome);
    default:
      return scope satisfies never;
  }
}

const reached = (agentId: string, kind: 'tool' | 'node', names: readonly string[]) => sql<SqlBool>`
  c.visit_set_id = any(array(select v.id from visit_sets v where v.agent_id = ${agentId} and exists (
    select 1 from jsonb_array_elements(v.places) p
    where p ->> 'kind' = ${kind} and (p ->> 'id' = any(${[...names]}::text[]) or p ->> 'label' = any(${[...names]}::text[])))))`;

function toolIds(tool: string, configuration: AgentConfiguration | null): string[] {
  const names = toolNames(tool, configuration);
  const defined = (configuration?.tools ?? []).filter(({ name }) => names.has(name));
  return [...names, ...defined.map(({ id }) => id)];
}

/** Under every captured version: a tool or a step may have been called something else before. */
async function namesOf(
  em: EntityManager,
  agentId: string,
  read: (configuration: AgentConfiguration | null) => readonly string[],
): Promise<string[]> {
  const versions = await db(em)
    .selectFrom('agent_versions')
    .where('agentId', '=', agentId)
    .where('configCaptured', '=', true)
    .select('configuration')
    .execute();
  const known = versions.map(({ configuration }) => configuration);
  return [...new Set([null, ...known].flatMap(read))];
}

export interface Window {
  /** The call after which it begins, as the record had it. */
  after: string | null;
  /** Calls looked at, the last one last. */
  considered: readonly Candidate[];
  judged: readonly VerdictsOfCall[];
  notComputable: number;
}

/**
 * Stores a window where nobody has ended the backtest or edited the watch, and no other try of its step has stored it. A
 * backtest that is paused keeps what it was on.
 * @returns whether it did.
 */
export async function storeWindow(em: EntityManager, key: BacktestKey, window: Window): Promise<boolean> {
  return em.transactional(async (tx) => {
    const watch = await lockWatch(tx, key.agentId, key.watchId);
    const open = await theOne(tx, key)
      .where('status', 'in', [...OPEN])
      .where('cursorId', 'is not distinct from', window.after)
      .select('watchId')
      .executeTakeFirst();
    if (watch?.revision !== key.revision || !open) return false;
    await writeVerdicts(tx, key.agentId, [key.watchId], window.judged);
    const { inScope, flagged } = await countVerdicts(tx, key.watchId);
    const last = window.considered.at(-1);
    await db(tx)
      .updateTable('backtests')
      .where('watchId', '=', key.watchId)
      .where('revision', '=', key.revision)
      .set((eb) => ({
        considered: eb('considered', '+', window.considered.length),
        notComputable: eb('notComputable', '+', window.notComputable),
        inScope,
        flagged,
        updatedAt: now,
        ...(last && { cursorAt: last.sortAt, cursorId: last.id }),
      }))
      .execute();
    await publishEvent(tx, { agentId: key.agentId, kind: 'watch.backtest', ref: key.watchId });
    return true;
  });
}

function countVerdicts(em: EntityManager, watchId: string): Promise<{ inScope: number; flagged: number }> {
  return db(em)
    .selectFrom('watch_verdicts')
    .where('watchId', '=', watchId)
    .where('inScope', '=', true)
    .select(({ fn }) => [
      fn.countAll<number>().as('inScope'),
      fn.countAll<number>().filterWhere('held', '=', false).as('flagged'),
    ])
    .executeTakeFirstOrThrow();
}

/** Draws the samples and hands the watch to people for review. @returns false where it was cancelled or edited meanwhile. */
export async function finishBacktest(em: EntityManager, key: BacktestKey): Promise<boolean> {
  return em.transactional(async (tx) => {
    const watch = await lockWatch(tx, key.agentId, key.watchId);
    if (watch?.revision !== key.revision || watch.state !== 'backtesting') return false;
    // Told to pause when there is nothing left to do, it is done.
    if (!(await moveBacktest(tx, key, OPEN, 'complete'))) return false;
    await drawFrom(tx, key);
    const { inScope, flagged } = await countVerdicts(tx, key.watchId);
    await db(tx)
      .updateTable('watches')
      .where('id', '=', key.watchId)
      .where('origin', '=', 'generated')
      .set(({ fn }) => ({ firstSample: fn.coalesce('firstSample', json({ inScope, flagged })) }))
      .execute();
    await setWatchState(tx, key.watchId, 'review');
    await publishEvent(tx, { agentId: key.agentId, kind: 'watch.changed', ref: key.watchId });
    return true;
  });
}

async function drawFrom(em: EntityManager, { watchId, revision }: BacktestKey): Promise<void> {
  const rows = await db(em)
    .selectFrom('watch_verdicts as v')
    .innerJoin('calls as c', 'c.id', 'v.callId')
    .where('v.watchId', '=', watchId)
    .where('v.inScope', '=', true)
    .select(['v.callId', 'v.held', 'v.version', 'c.outcome', 'c.outcomeConfidence'])
    .execute();
  const drawn = drawSamples(rows);
  await sql`
    insert into watch_samples (watch_id, revision, call_id, workspace_id, agent_id, position, kind, verdict, turn, quote)
    select v.watch_id, ${revision}, v.call_id, w.workspace_id, w.agent_id, d.position, d.kind, v.because, v.turn, v.quote
    from jsonb_to_recordset(${JSON.stringify(drawn)}::jsonb) as d("callId" uuid, kind text, position int)
    join watch_verdicts v on v.call_id = d."callId" and v.watch_id = ${watchId}
    join watches w on w.id = v.watch_id
    on conflict (watch_id, revision, call_id) do nothing`.execute(db(em));
}
