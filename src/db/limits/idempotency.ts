import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, now } from '../expressions.ts';

/** Whose request it is: the same key of another caller, or for another operation, is another request. */
export interface RequestName {
  caller: string;
  operation: string;
  key: string;
}

export interface FirstAnswer {
  argsDigest: string;
  /** Null while the first request is at work. */
  status: number | null;
  /** JSON text; null where it held a secret. */
  answer: string | null;
  resourceId: string | null;
}

/**
 * Claims a request for whoever holds `token`, when nobody has made it before, when that was over 24 hours ago, or when
 * whoever was at work on it has not been heard of for the lease.
 */
export async function claimRequest(
  em: EntityManager,
  { caller, operation, key }: RequestName,
  claim: { argsDigest: string; token: string; leaseSeconds: number },
): Promise<boolean> {
  const { argsDigest, token, leaseSeconds } = claim;
  const claimed = await db(em)
    .insertInto('idempotency_records')
    .values({ caller, operation, key, argsDigest, token })
    .onConflict((conflict) =>
      conflict
        .columns(['caller', 'operation', 'key'])
        .doUpdateSet({
          argsDigest,
          token,
          status: null,
          answer: null,
          resourceId: null,
          claimedAt: now,
          createdAt: now,
        })
        .where((eb) =>
          eb.or([
            eb('idempotency_records.createdAt', '<', ago(24, 'hours')),
            eb.and([
              eb('idempotency_records.status', 'is', null),
              eb('idempotency_records.argsDigest', '=', argsDigest),
              eb('idempotency_records.claimedAt', '<', ago(leaseSeconds, 'seconds')),
            ]),
          ]),
        ),
    )
    .returning('token')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Whoever holds `token` is still at work on the request; nothing where it is answered or somebody else's. */
export async function renewClaim(
  em: EntityManager,
  { caller, operation, key }: RequestName,
  token: string,
): Promise<void> {
  await db(em)
    .updateTable('idempotency_records')
    .where((eb) => eb.and({ caller, operation, key, token }))
    .where('status', 'is', null)
    .set({ claimedAt: now })
    .execute();
}

export async function findFirstAnswer(em: EntityManager, name: RequestName): Promise<FirstAnswer | null> {
  const first = await db(em)
    .selectFrom('idempotency_records')
    .where('caller', '=', name.caller)
    .where('operation', '=', name.operation)
    .where('key', '=', name.key)
    .select(['argsDigest', 'status', 'answer', 'resourceId'])
    .executeTakeFirst();
  return first ?? null;
}

/** @returns false when somebody else has taken the request over. */
export async function keepAnswer(
  em: EntityManager,
  { caller, operation, key }: RequestName,
  kept: { token: string; status: number; answer: string | null; resourceId: string | null },
): Promise<boolean> {
  const { token, status, answer, resourceId } = kept;
  const updated = await db(em)
    .updateTable('idempotency_records')
    .where((eb) => eb.and({ caller, operation, key, token }))
    .where('status', 'is', null)
    .set({ status, answer, resourceId })
    .returning('token')
    .executeTakeFirst();
  return updated !== undefined;
}

/** The request came to nothing that is kept: the next one with this key is a first one. */
export async function releaseRequest(
  em: EntityManager,
  { caller, operation, key }: RequestName,
  token: string,
): Promise<void> {
  await db(em)
    .deleteFrom('idempotency_records')
    .where((eb) => eb.and({ caller, operation, key, token }))
    .where('status', 'is', null)
    .execute();
}

export async function forgetOldAnswers(em: EntityManager): Promise<void> {
  await db(em).deleteFrom('idempotency_records').where('createdAt', '<', ago(24, 'hours')).execute();
}
