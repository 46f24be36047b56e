import { expressionBuilder } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import type { Vault } from '../../secrets.ts';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyText, asId, now } from '../expressions.ts';
import type { NewRow, Tables } from '../tables.ts';

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

/**
 * Which of the calls that come in were erased, by themselves or with their caller: the two parts of a statement that ask
 * for it, and how their answers are read into the platform's ids of these calls.
 */
export function askErased(vault: Hasher, owner: Owner, calls: readonly ArrivingCall[]) {
  const byHash = new Map(calls.map(({ providerCallId: ref }) => [hashOf(vault, owner, ref), ref]));
  const keys = calls.flatMap(({ callerKey }) => callerKey ?? []);
  const { selectFrom } = expressionBuilder<Tables>();
  const refs = selectFrom('erased_calls')
    .where('agentId', '=', owner.agentId)
    .where('refHash', '=', anyText([...byHash.keys()]))
    .select(({ fn }) => fn.jsonAgg('refHash').as('hashes'));
  const callers = selectFrom('erased_callers')
    .where('agentId', '=', asId(owner.agentId))
    .where('callerKey', '=', anyText(keys))
    .select(({ fn, ref }) =>
      fn.jsonAgg(jsonBuildObject({ callerKey: ref('callerKey'), before: ref('before') })).as('rows'),
    );
  return {
    refs,
    callers,
    read(hashes: string[] | null, rows: { callerKey: string; before: string }[] | null): Set<string> {
      const erased = new Set((hashes ?? []).flatMap((hash) => byHash.get(hash) ?? []));
      // Times within documents are in PostgreSQL's own form.
      const before = new Map((rows ?? []).map((row) => [row.callerKey, toIso(row.before)]));
      for (const { providerCallId, callerKey, startedAt } of calls) {
        const until = callerKey === null ? undefined : before.get(callerKey);
        // Of a call without a start nobody can say that it is new.
        if (until !== undefined && (startedAt === null || startedAt < until)) erased.add(providerCallId);
      }
      return erased;
    },
  };
}
