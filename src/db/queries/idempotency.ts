import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';

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
  const { rows } = await sql`
    insert into idempotency_records as r (caller, operation, key, args_digest, token)
    values (${caller}, ${operation}, ${key}, ${claim.argsDigest}, ${claim.token})
    on conflict (caller, operation, key) do update set args_digest = excluded.args_digest, token = excluded.token,
      status = null, answer = null, resource_id = null, claimed_at = now(), created_at = now()
    where r.created_at < now() - interval '24 hours'
      or (r.status is null and r.args_digest = excluded.args_digest
        and r.claimed_at < now() - make_interval(secs => ${claim.leaseSeconds}))
    returning token
  `.execute(em.getKysely());
  return rows.length > 0;
}

export async function findFirstAnswer(em: EntityManager, name: RequestName): Promise<FirstAnswer | null> {
  const { rows } = await sql<FirstAnswer>`
    select args_digest as "argsDigest", status, answer, resource_id as "resourceId" from idempotency_records
    where caller = ${name.caller} and operation = ${name.operation} and key = ${name.key}
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

/** @returns false when somebody else has taken the request over. */
export async function keepAnswer(
  em: EntityManager,
  { caller, operation, key }: RequestName,
  kept: { token: string; status: number; answer: string | null; resourceId: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    update idempotency_records set status = ${kept.status}, answer = ${kept.answer}, resource_id = ${kept.resourceId}
    where caller = ${caller} and operation = ${operation} and key = ${key} and token = ${kept.token} and status is null
    returning token
  `.execute(em.getKysely());
  return rows.length > 0;
}

/** The request came to nothing that is kept: the next one with this key is a first one. */
export async function releaseRequest(em: EntityManager, name: RequestName, token: string): Promise<void> {
  await sql`
    delete from idempotency_records
    where caller = ${name.caller} and operation = ${name.operation} and key = ${name.key} and token = ${token}
      and status is null
  `.execute(em.getKysely());
}

export async function forgetOldAnswers(em: EntityManager): Promise<void> {
  await sql`delete from idempotency_records where created_at < now() - interval '24 hours'`.execute(em.getKysely());
}
