import { sql } from 'kysely';
import { BUCKETS, type BucketKind, FAILED_AUTHENTICATIONS, type RateLimit } from '../../domain/limits/rate-limits.ts';
import type { KeyAccess, Role } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { prepared } from '../scoped-driver.ts';

export type Credential =
  | { kind: 'key'; secretHash: string }
  | { kind: 'session'; sessionId: string; personId: string; workspaceId: string }
  /** Nothing that could be looked up. */
  | { kind: 'none' };

export interface Entry {
  /** `shut_out`: the address failed too often. `unknown`: no such key or session. `limited`: a bucket is empty. */
  outcome: 'entered' | 'shut_out' | 'unknown' | 'limited';
  /** The empty bucket of `limited`. */
  refused: BucketKind | null;
  keyId: string | null;
  workspaceId: string | null;
  agentId: string | null;
  access: KeyAccess | null;
  monthlyBudgetUsd: number | null;
  role: Role | null;
  /** The bucket that the answer shows: the emptiest of the caller's own, or the address's failures. */
  limit: number;
  remaining: number;
  resetSeconds: number;
  retryAfterSeconds: number | null;
}

/**
 * Who asks, and whether they may now: looks the credential up and draws from every bucket of the request, in one
 * statement on database time. A refusal draws nothing, but for a failed authentication, which draws from its address
 * when it `counts`. Keys are found before anyone's workspace is known: the one look-up without a scope.
 */
export async function enter(
  em: EntityManager,
  asked: { credential: Credential; address: string; counts: boolean; buckets: readonly BucketKind[] },
): Promise<Entry> {
  const { credential, buckets } = asked;
  const isKey = credential.kind === 'key';
  const session = credential.kind === 'session' ? credential : null;
  const limits = buckets.map((kind): RateLimit => BUCKETS[kind]);
  const who = [
    isKey ? credential.secretHash : null,
    session?.sessionId ?? null,
    session?.personId ?? null,
    session?.workspaceId ?? null,
    asked.address,
    FAILED_AUTHENTICATIONS.perMinute,
    FAILED_AUTHENTICATIONS.burst,
    asked.counts,
  ];
  const [row] = await prepared<{ entry: EntryRow }>(
    em,
    isReading(buckets)
      ? { ...ENTER_READING, values: [...who, ...limits.flatMap(({ perMinute, burst }) => [perMinute, burst])] }
      : {
          ...ENTER,
          values: [...who, buckets, limits.map((limit) => limit.perMinute), limits.map((limit) => limit.burst)],
        },
  );
  if (!row) throw new Error('PostgreSQL said nothing about who enters.');
  return toEntry(row.entry);
}

const ENTER = {
  name: 'enter',
  text: 'select to_json(e) as entry from enter($1, $2, $3, $4, $5, $6, $7, $8, $9::text[], $10::int[], $11::int[]) e',
};
const ENTER_READING = {
  name: 'enter_reading',
  text: 'select enter_reading($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as entry',
};

/** The common case, for which the database has a shorter way. */
const isReading = (buckets: readonly BucketKind[]) => buckets.join() === 'requests,workspace';

interface EntryRow {
  outcome: Entry['outcome'];
  refused: BucketKind | null;
  key_id: string | null;
  workspace_id: string | null;
  agent_id: string | null;
  access: KeyAccess | null;
  monthly_budget_usd: number | null;
  role: Role | null;
  shown_limit: number;
  shown_remaining: number;
  shown_reset: number;
  retry_after: number | null;
}

const toEntry = (row: EntryRow): Entry => ({
  outcome: row.outcome,
  refused: row.refused,
  keyId: row.key_id,
  workspaceId: row.workspace_id,
  agentId: row.agent_id,
  access: row.access,
  monthlyBudgetUsd: row.monthly_budget_usd,
  role: row.role,
  limit: row.shown_limit,
  remaining: row.shown_remaining,
  resetSeconds: row.shown_reset,
  retryAfterSeconds: row.retry_after,
});

/** One token of one bucket, on database time. @returns when there is another one, where none was left. */
export async function drawOne(
  em: EntityManager,
  name: string,
  { perMinute, burst }: RateLimit,
): Promise<{ retryAfterSeconds: number | null }> {
  const { rows } = await sql<{ retryAfterSeconds: number | null }>`
    select retry_after as "retryAfterSeconds"
    from draw_buckets(array[${name}], array[${perMinute}::int], array[${burst}::int])
  `.execute(em.getKysely());
  return rows[0] ?? { retryAfterSeconds: null };
}

/** Takes so many tokens of each bucket that was drawn from before, also beyond what is left. Locks by name, as all do. */
export async function takeFrom(
  em: EntityManager,
  taken: readonly { name: string; perMinute: number; tokens: number }[],
): Promise<void> {
  const names = taken.map(({ name }) => name);
  const seconds = taken.map(({ perMinute, tokens }) => (tokens * 60) / perMinute);
  await sql`
    with held as materialized (select name from buckets where name = any(${names}::text[]) order by name for update)
    update buckets b set full_at = greatest(b.full_at, clock_timestamp()) + t.seconds * interval '1 second'
    from held join unnest(${names}::text[], ${seconds}::float8[]) as t(name, seconds) using (name)
    where b.name = held.name
  `.execute(em.getKysely());
}

const FORGOTTEN_AT_ONCE = 10_000;

/**
 * Deletes every bucket that has been full for a minute: a missing one is full. So there are never more of them than
 * requests since the last time. Skips what is in use.
 */
export async function forgetFullBuckets(em: EntityManager): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      delete from buckets where name in (
        select name from buckets where full_at < now() - interval '1 minute'
        limit ${FORGOTTEN_AT_ONCE} for update skip locked
      ) returning 1
    `.execute(em.getKysely());
    if (rows.length < FORGOTTEN_AT_ONCE) return;
  }
}
