import type { Vault } from '../../secrets.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyText, asId, now } from '../expressions.ts';
import type { NewRow } from '../tables.ts';

interface Owner {
  workspaceId: string;
  agentId: string;
}

type Hasher = Pick<Vault, 'keyedHash'>;

const hashOf = (vault: Hasher, { workspaceId, agentId }: Owner, ref: string) =>
  vault.keyedHash(workspaceId, `erased call\n${agentId}\n${ref}`);

/** Keeps calls away from now on, by the platform's ids of them. */
export async function markErased(
  em: EntityManager,
  vault: Hasher,
  owner: Owner,
  refs: readonly string[],
): Promise<void> {
  if (refs.length === 0) return;
  const { workspaceId, agentId } = owner;
  const hashes = [...new Set(refs.map((ref) => hashOf(vault, owner, ref)))].sort();
  await db(em)
    .insertInto('erased_calls')
    .values(hashes.map((refHash): NewRow<'erased_calls'> => ({ workspaceId, agentId, refHash })))
    .onConflict((conflict) => conflict.columns(['agentId', 'refHash']).doNothing())
    .execute();
}

/** Which of these calls, by the platform's ids, were erased. */
export async function erasedRefs(
  em: EntityManager,
  vault: Hasher,
  owner: Owner,
  refs: readonly string[],
): Promise<Set<string>> {
  if (refs.length === 0) return new Set();
  const byHash = new Map(refs.map((ref) => [hashOf(vault, owner, ref), ref]));
  const rows = await db(em)
    .selectFrom('erased_calls')
    .where('agentId', '=', owner.agentId)
    .where('refHash', '=', anyText([...byHash.keys()]))
    .select('refHash')
    .execute();
  return new Set(rows.flatMap(({ refHash }) => byHash.get(refHash) ?? []));
}

/** Keeps a caller's calls from before this moment away. */
export async function markCallerErased(
  em: EntityManager,
  { workspaceId, agentId }: Owner,
  callerKey: string,
): Promise<void> {
  await db(em)
    .insertInto('erased_callers')
    .values({ workspaceId, agentId, callerKey })
    .onConflict((conflict) => conflict.columns(['agentId', 'callerKey']).doUpdateSet({ before: now }))
    .execute();
}

export interface ArrivingCall {
  providerCallId: string;
  callerKey: string | null;
  startedAt: string | null;
}

/** Of the calls that come in, by the platform's ids, those that were erased, by themselves or with their caller. */
export async function erasedAmong(
  em: EntityManager,
  vault: Hasher,
  owner: Owner,
  calls: readonly ArrivingCall[],
): Promise<Set<string>> {
  const refs = await erasedRefs(
    em,
    vault,
    owner,
    calls.map(({ providerCallId }) => providerCallId),
  );
  const keys = calls.flatMap(({ callerKey }) => callerKey ?? []);
  const callers = keys.length === 0 ? [] : await erasedCallers(em, owner.agentId, keys);
  const before = new Map(callers.map((row) => [row.callerKey, row.before]));
  for (const { providerCallId, callerKey, startedAt } of calls) {
    const until = callerKey === null ? undefined : before.get(callerKey);
    // Of a call without a start nobody can say that it is new.
    if (until !== undefined && (startedAt === null || startedAt < until)) refs.add(providerCallId);
  }
  return refs;
}

function erasedCallers(em: EntityManager, agentId: string, callerKeys: readonly string[]) {
  return db(em)
    .selectFrom('erased_callers')
    .where('agentId', '=', asId(agentId))
    .where('callerKey', '=', anyText(callerKeys))
    .select(['callerKey', 'before'])
    .execute();
}
