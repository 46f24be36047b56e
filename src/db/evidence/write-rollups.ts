import { sql } from 'kysely';
import {
  dayOf,
  ISSUE_COUNTS,
  type Ledger,
  type LedgerRow,
  type LedgerTable,
  OUTCOME_COUNTS,
  STEP_COUNTS,
} from '../../domain/issues/ledger.ts';
import type { StandingCall } from '../analysis/analysis-context.ts';
import type { AnalysedCall } from '../analysis/write-readings.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { tallyParts } from '../metrics/tally-calls.ts';
import { executePlanned } from '../planned.ts';
import { addedTo, columnsOf } from './write-sums.ts';

/** A table of sums that a ledger has rows of. */
interface LedgerSums {
  ledger: LedgerTable;
  table: string;
  /** Columns of the key, and how each is made of the parts `k0`, `k1`, … of a row's. */
  key: Readonly<Record<string, string>>;
  counts: readonly string[];
  spans?: typeof SPANS;
}

const CALLS = ['calls'] as const;
const SPANS = {
  columns: ['first_started_at', 'last_started_at'],
  changes: sql`first_started_at = least(t.first_started_at, r.first_started_at),
    last_started_at = greatest(t.last_started_at, r.last_started_at)`,
} as const;

const SUMS: readonly LedgerSums[] = [
  {
    ledger: 'placeRollups',
    table: 'place_rollups',
    key: { place_kind: 'k0', place_digest: 'md5(k1)', profile_id: 'k2::uuid', version: 'k3::int', day: 'k4::date' },
    counts: OUTCOME_COUNTS,
    spans: SPANS,
  },
  {
    ledger: 'issueRollups',
    table: 'issue_rollups',
    key: { issue_id: 'k0::uuid', version: 'k1::int' },
    counts: ISSUE_COUNTS,
  },
  { ledger: 'issueDays', table: 'issue_days', key: { issue_id: 'k0::uuid', day: 'k1::date' }, counts: CALLS },
  { ledger: 'issueCauses', table: 'issue_causes', key: { issue_id: 'k0::uuid', cause_code: 'k1' }, counts: CALLS },
  { ledger: 'issueIntents', table: 'issue_intents', key: { issue_id: 'k0::uuid', intent_slug: 'k1' }, counts: CALLS },
  {
    ledger: 'issuePairs',
    table: 'issue_pairs',
    key: { first_issue_id: 'k0::uuid', then_issue_id: 'k1::uuid' },
    counts: CALLS,
  },
  {
    ledger: 'stepCodes',
    table: 'step_codes',
    key: { step_kind: 'k0', step_digest: 'md5(k1)', code: 'k2' },
    counts: STEP_COUNTS,
  },
];

/**
 * Adds a batch's differences to every sum, the calls as they stand now to those of figures and flow, and what changed to
 * the agent's own counters. Rows that come to nothing are deleted, so that sums kept by difference equal sums counted anew.
 */
export async function writeRollups(
  em: EntityManager,
  agentId: string,
  ledger: Ledger,
  batch: { calls: AnalysedCall[]; removedFrom: StandingCall[] },
): Promise<void> {
  const changes = SUMS.map((sums) => ({ sums, rows: ledger.changes(sums.ledger) }));
  const changed = changes.some(({ rows }) => rows.length > 0);
  const stored = batch.calls.map(({ standing }) => standing.id);
  await executePlanned(
    em,
    sql`
    with ${tallyParts(agentId, stored, 1)},
    ${sql.join(changes.map(({ sums, rows }) => added(agentId, sums, rows, batch.calls)))}
    update agents set
      call_count = call_count + ${batch.calls.length - batch.removedFrom.length},
      newest_call_at = ${newestCallAt(agentId, batch)},
      version_count = (select count(*) from agent_versions where agent_id = ${agentId}),
      current_version = coalesce((select max(version) from agent_versions where agent_id = ${agentId}
        having not bool_or(config_captured)), current_version),
      evidence_revision = evidence_revision + ${changed ? 1 : 0}, updated_at = now()
    where id = ${agentId}`,
  );
  if (batch.removedFrom.length > 0) await settleRemovals(em, agentId, batch.removedFrom);
}

/** Of new calls alone it follows from these: a plan that is kept would go through all calls of the agent for it. */
function newestCallAt(agentId: string, batch: { calls: AnalysedCall[]; removedFrom: StandingCall[] }) {
  if (batch.removedFrom.length > 0) {
    return sql`(select started_at from calls where agent_id = ${agentId} and state = 'analysed'
      order by sort_at desc, id desc limit 1)`;
  }
  const starts = batch.calls.flatMap(({ startedAt }) => startedAt ?? []).sort();
  return sql`greatest(newest_call_at, ${starts.at(-1) ?? null}::timestamptz)`;
}

function added(agentId: string, sums: LedgerSums, rows: readonly LedgerRow[], calls: AnalysedCall[]) {
  const { table, key, counts, spans } = sums;
  const records = rows.map((row) => ({
    ...Object.fromEntries(row.key.map((part, index) => [`k${index}`, part])),
    ...Object.fromEntries(counts.map((column, index) => [column, row.change[index]])),
    ...(spans && spanOf(row, calls)),
  }));
  const counted = sql.join(counts.map((column) => sql`${sql.ref(column)} bigint`));
  return addedTo({
    table,
    key: Object.keys(key),
    counts,
    spans,
    agentId,
    rows: sql`
      select ${sql.raw(Object.values(key).join(', '))}, ${columnsOf([...counts, ...(spans?.columns ?? [])], 'r')}
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(k0 text, k1 text, k2 text, k3 text, k4 text,
        ${counted}, first_started_at timestamptz, last_started_at timestamptz)`,
  });
}

/** First and last start of the batch's calls under an agent's row, which the live version is judged by. */
function spanOf(row: LedgerRow, calls: AnalysedCall[]) {
  const [kind, id, profileId, version, day] = row.key;
  if (kind !== 'agent' || id !== 'agent') return null;
  const starts = calls
    .filter((call) => call.profileId === profileId && call.version === version && dayOf(call.startedAt) === day)
    .flatMap((call) => call.startedAt ?? [])
    .sort();
  return { first_started_at: starts.at(0) ?? null, last_started_at: starts.at(-1) ?? null };
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
