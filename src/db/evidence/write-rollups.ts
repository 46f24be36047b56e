import { type RawBuilder, sql } from 'kysely';
import {
  dayOf,
  ISSUE_COUNTS,
  type Ledger,
  type LedgerRow,
  OUTCOME_COUNTS,
  STEP_COUNTS,
} from '../../domain/issues/ledger.ts';
import type { StandingCall } from '../analysis/analysis-context.ts';
import type { AnalysedCall } from '../analysis/write-readings.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { tallyParts } from '../metrics/tally-calls.ts';

/**
 * Adds a batch's differences to every sum, the calls as they stand now to those of figures and flow, and what changed to
 * the agent's own counters. Rows that come to nothing are deleted, so
 * that sums kept by difference equal sums counted anew.
 */
export async function writeRollups(
  em: EntityManager,
  agentId: string,
  ledger: Ledger,
  batch: { calls: AnalysedCall[]; removedFrom: StandingCall[] },
): Promise<void> {
  const places = ledger.changes('placeRollups').map((row) => ({ ...row, spans: spanOf(row, batch.calls) }));
  const issueRollups = ledger.changes('issueRollups');
  const days = ledger.changes('issueDays');
  const causes = ledger.changes('issueCauses');
  const intents = ledger.changes('issueIntents');
  const pairs = ledger.changes('issuePairs');
  const steps = ledger.changes('stepCodes');
  const changed = [places, issueRollups, days, causes, intents, pairs, steps].some((rows) => rows.length > 0);
  const stored = batch.calls.map(({ standing }) => standing.id);
  await sql`
    with ${tallyParts(agentId, stored, 1)},
    ${sums('place_rollups', ['place_kind', 'place_digest', 'profile_id', 'version', 'day'], OUTCOME_COUNTS, {
      agentId,
      keys: sql`k0, md5(k1), k2::uuid, k3::int, k4::date`,
      from: records(places, OUTCOME_COUNTS, (row) => row.spans, sql`, first_at timestamptz, last_at timestamptz`),
      more: {
        columns: sql`, first_started_at, last_started_at`,
        values: sql`, r.first_at, r.last_at`,
        changes: sql`, first_started_at = least(t.first_started_at, r.first_started_at),
          last_started_at = greatest(t.last_started_at, r.last_started_at)`,
      },
    })},
    ${sums('issue_rollups', ['issue_id', 'version'], ISSUE_COUNTS, {
      agentId,
      keys: sql`k0::uuid, k1::int`,
      from: records(issueRollups, ISSUE_COUNTS),
    })},
    ${sums('issue_days', ['issue_id', 'day'], CALLS, {
      agentId,
      keys: sql`k0::uuid, k1::date`,
      from: records(days, CALLS),
    })},
    ${sums('issue_causes', ['issue_id', 'cause_code'], CALLS, {
      agentId,
      keys: sql`k0::uuid, k1`,
      from: records(causes, CALLS),
    })},
    ${sums('issue_intents', ['issue_id', 'intent_slug'], CALLS, {
      agentId,
      keys: sql`k0::uuid, k1`,
      from: records(intents, CALLS),
    })},
    ${sums('issue_pairs', ['first_issue_id', 'then_issue_id'], CALLS, {
      agentId,
      keys: sql`k0::uuid, k1::uuid`,
      from: records(pairs, CALLS),
    })},
    ${sums('step_codes', ['step_kind', 'step_digest', 'code'], STEP_COUNTS, {
      agentId,
      keys: sql`k0, md5(k1), k2`,
      from: records(steps, STEP_COUNTS),
    })}
    update agents set
      call_count = call_count + ${batch.calls.length - batch.removedFrom.length},
      newest_call_at = (select started_at from calls where agent_id = ${agentId} and state = 'analysed'
        order by sort_at desc, id desc limit 1),
      version_count = (select count(*) from agent_versions where agent_id = ${agentId}),
      current_version = coalesce((select max(version) from agent_versions where agent_id = ${agentId}
        having not bool_or(config_captured)), current_version),
      evidence_revision = evidence_revision + ${changed ? 1 : 0}, updated_at = now()
    where id = ${agentId}`.execute(db(em));
  if (batch.removedFrom.length > 0) await settleRemovals(em, agentId, batch.removedFrom);
}

const CALLS = ['calls'] as const;

/** Rows of a ledger as a table: keys `k0`, `k1`, … as text, counts under their own names. */
function records<Row extends LedgerRow>(
  rows: Row[],
  columns: readonly string[],
  more: (row: Row) => object = () => ({}),
  moreColumns: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const objects = rows.map((row) => ({
    ...Object.fromEntries(row.key.map((part, index) => [`k${index}`, part])),
    ...Object.fromEntries(columns.map((column, index) => [column, row.change[index]])),
    ...more(row),
  }));
  const typed = sql.join(columns.map((column) => sql`${sql.ref(column)} bigint`));
  return sql`jsonb_to_recordset(${JSON.stringify(objects)}::jsonb)
    as r(k0 text, k1 text, k2 text, k3 text, k4 text, ${typed}${moreColumns})`;
}

interface Sums {
  agentId: string;
  /** The table's key from the record's parts. */
  keys: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  more?: { columns: RawBuilder<unknown>; values: RawBuilder<unknown>; changes: RawBuilder<unknown> };
}

/**
 * Adds records to the sums of one table, as parts of a `with`. Rows that are there are updated and only the others
 * inserted: an upsert would first lock and note each row, for nothing under the agent's lock.
 */
function sums(table: string, key: string[], counts: readonly string[], given: Sums): RawBuilder<unknown> {
  const { agentId, keys, from, more } = given;
  const list = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));
  const part = (name: string) => sql.ref(`${table}_${name}`);
  const none = sql``;
  const same = (a: string) =>
    sql.join(
      key.map((column) => sql`${sql.ref(`${a}.${column}`)} = ${sql.ref(`r.${column}`)}`),
      sql` and `,
    );
  return sql`
    ${part('given')}(${list([...key, ...counts])}${more?.columns ?? none}) as materialized (
      select ${keys}, ${sql.join(counts.map((column) => sql`r.${sql.ref(column)}`))}${more?.values ?? none} from ${from}
    ), ${part('raised')} as (
      update ${sql.table(table)} t set ${sql.join(
        counts.map((column) => sql`${sql.ref(column)} = ${sql.ref(`t.${column}`)} + ${sql.ref(`r.${column}`)}`),
      )}${more?.changes ?? none}
      from ${part('given')} r where t.agent_id = ${agentId} and ${same('t')}
      returning ${sql.join(key.map((column) => sql.ref(`t.${column}`)))}
    ), ${part('begun')} as (
      insert into ${sql.table(table)} (agent_id, ${list([...key, ...counts])}${more?.columns ?? none})
      select ${agentId}::uuid, ${list([...key, ...counts])}${more?.columns ?? none} from ${part('given')} r
      where not exists (select 1 from ${part('raised')} t where ${same('t')})
    )`;
}

/** First and last start of the batch's calls under an agent's row, which the live version is judged by. */
function spanOf(row: LedgerRow, calls: AnalysedCall[]): { first_at: string | null; last_at: string | null } {
  const [kind, id, profileId, version, day] = row.key;
  if (kind !== 'agent' || id !== 'agent') return { first_at: null, last_at: null };
  const starts = calls
    .filter((call) => call.profileId === profileId && call.version === version && dayOf(call.startedAt) === day)
    .flatMap((call) => call.startedAt ?? [])
    .sort();
  return { first_at: starts.at(0) ?? null, last_at: starts.at(-1) ?? null };
}

/** Where calls were taken out: rows without calls go, and the span of the day they left is read anew. */
async function settleRemovals(em: EntityManager, agentId: string, removedFrom: StandingCall[]): Promise<void> {
  const left = removedFrom.map((call) => ({
    profile_id: call.profileId,
    version: call.version,
    day: dayOf(call.startedAt),
  }));
  await sql`
    with a as (delete from issue_rollups where agent_id = ${agentId} and calls = 0),
      b as (delete from issue_days where agent_id = ${agentId} and calls = 0),
      c as (delete from issue_causes where agent_id = ${agentId} and calls = 0),
      d as (delete from issue_intents where agent_id = ${agentId} and calls = 0),
      e as (delete from issue_pairs where agent_id = ${agentId} and calls = 0),
      f as (delete from place_rollups where agent_id = ${agentId} and calls = 0),
      g as (delete from step_codes where agent_id = ${agentId} and calls = 0)
    update place_rollups p set first_started_at = span.first_at, last_started_at = span.last_at
    from (
      select l.profile_id, l.version, l.day, min(c.started_at) as first_at, max(c.started_at) as last_at
      from (select distinct * from jsonb_to_recordset(${JSON.stringify(left)}::jsonb)
        as l(profile_id uuid, version int, day date)) l
      join calls c on c.agent_id = ${agentId} and c.state = 'analysed' and c.version = l.version
        and c.profile_id = l.profile_id and c.sort_at >= l.day::timestamp at time zone 'UTC'
        and c.sort_at < (l.day + 1)::timestamp at time zone 'UTC'
      group by l.profile_id, l.version, l.day
    ) span
    where p.agent_id = ${agentId} and p.place_kind = 'agent' and p.place_digest = md5('agent')
      and p.profile_id = span.profile_id and p.version = span.version and p.day = span.day and p.calls > 0`.execute(
    db(em),
  );
}
