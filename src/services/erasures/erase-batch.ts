import type { EntityManager } from '../../db/database.ts';
import { eraseSealed } from '../../db/erasures/erase-sealed.ts';
import {
  advanceErasure,
  callsOfCaller,
  callsToErase,
  type ErasureView,
  findErasure,
  findErasureOf,
  moveErasure,
} from '../../db/erasures/erasures.ts';
import { dropUnused, forgetTerms } from '../../db/erasures/forget-words.ts';
import { RemovedRows } from '../../db/erasures/removed.ts';
import { publishEvent } from '../../db/events/events.ts';
import { erasureNumberPlace } from '../../db/secrets/sealed-places.ts';
import type { Vault } from '../../secrets.ts';
import { type ErasingKnowledge, eraseCalls } from './erase-calls.ts';

const GONE = 'The erasure is gone.';
/** Whoever looks at lists, sums or the erasure itself reads them again. */
const CALLS_GONE = { kind: 'issues.changed', ref: null } as const;
/** Calls of one transaction, which holds the agent's lock. */
const CALLS_AT_ONCE = 100;

export interface ErasureOfAgent {
  agentId: string;
  erasureId: string;
}

export interface ErasedBatch {
  done: number;
  total: number;
  /** No call is left. */
  over: boolean;
}

/** Erases the next calls. What is gone by then is left out, so that it goes on wherever it was broken off. */
export async function eraseBatch(
  em: EntityManager,
  knows: ErasingKnowledge,
  { agentId, erasureId }: ErasureOfAgent,
): Promise<ErasedBatch> {
  return em.transactional(async (tx) => {
    await moveErasure(tx, erasureId, ['queued'], 'running');
    const erasure = await requireErasure(tx, agentId, erasureId);
    const owner = { workspaceId: erasure.workspaceId, agentId };
    const callIds = await nextCalls(tx, agentId, erasure);
    const removed = await eraseCalls(tx, knows, owner, callIds);
    const done = removed['calls'] ?? 0;
    await advanceErasure(tx, erasureId, done, removed);
    await publishEvent(tx, { agentId, ...CALLS_GONE });
    const total = Math.max(erasure.total, erasure.done + done);
    return { done: erasure.done + done, total, over: callIds.length < CALLS_AT_ONCE };
  });
}

async function requireErasure(em: EntityManager, agentId: string, erasureId: string): Promise<ErasureView> {
  const erasure = await findErasure(em, agentId, erasureId);
  if (!erasure) throw new Error(GONE);
  return erasure;
}

async function nextCalls(em: EntityManager, agentId: string, { callIds, callerKey }: ErasureView): Promise<string[]> {
  if (callerKey !== null) return callsOfCaller(em, agentId, callerKey, CALLS_AT_ONCE);
  const left = await callsToErase(em, agentId, callIds);
  return left.slice(0, CALLS_AT_ONCE).map(({ id }) => id);
}

/** After the last call: what has no key of a call, and words that calls shared. */
export async function eraseLeftovers(
  em: EntityManager,
  vault: Pick<Vault, 'open'>,
  { agentId, erasureId }: ErasureOfAgent,
): Promise<void> {
  const { sealedNumber, workspaceId } = await requireErasure(em, agentId, erasureId);
  const removed = new RemovedRows();
  if (sealedNumber !== null) {
    const number = vault.open(sealedNumber, erasureNumberPlace(workspaceId, erasureId));
    await eraseSealed(em, vault, { workspaceId, agentId, number }, removed);
  }
  await forgetTerms(em, agentId);
  await dropUnused(em, agentId, removed);
  await advanceErasure(em, erasureId, 0, removed.byTable);
}

const NOT_SEARCHED =
  'Sealed records that could not be read as calls were not searched: only an erasure by the number of the caller finds them.';

interface EndedErasure {
  workspaceId: string;
  erasureId: string;
}

/** Ends it, and says in the report what it could not look through. */
export async function completeErasure(em: EntityManager, ended: EndedErasure): Promise<void> {
  const erasure = await findErasureOf(em, ended.workspaceId, ended.erasureId);
  if (!erasure) throw new Error(GONE);
  const isOfCalls = erasure.scope === 'calls' || erasure.scope === 'caller';
  const message = isOfCalls && erasure.sealedNumber === null ? NOT_SEARCHED : null;
  await endErasure(em, ended, 'complete', message);
}

export function failErasure(em: EntityManager, ended: EndedErasure, reason: string): Promise<void> {
  return endErasure(em, ended, 'failed', reason);
}

async function endErasure(
  em: EntityManager,
  { workspaceId, erasureId }: EndedErasure,
  to: 'complete' | 'failed',
  message: string | null,
): Promise<void> {
  await em.transactional(async (tx) => {
    if (!(await moveErasure(tx, erasureId, ['queued', 'running'], to, message))) return;
    const agentId = (await findErasureOf(tx, workspaceId, erasureId))?.agentId ?? null;
    if (agentId !== null) await publishEvent(tx, { agentId, ...CALLS_GONE });
  });
}
