import { type RawBuilder, sql } from 'kysely';
import { METRIC_SUMS, type MetricBins, type MetricSums } from '../../domain/metrics/figures.ts';
import { binOf, METRIC_MEASURES, type MetricMeasure } from '../../domain/metrics/median.ts';
import { type CallSpan, daysOf, type Window } from '../../domain/metrics/range.ts';
import type { PlaceKind } from '../../domain/vocabulary.ts';
import { toIsoOrNull } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ofAgents, type ReadScope } from '../read-scope.ts';
import { METRIC_BINS, METRIC_COUNTS, type SumTable } from './metric-sums.ts';

/** What calls are grouped by; `none` puts all into one group. */
export type MetricGroup = 'none' | 'version' | 'intent' | 'useCase' | 'day' | 'outcome';

export interface MetricSlice {
  window: Window;
  /** Null for all versions. */
  version: number | null;
}

export interface GroupSums {
  /** Of intents and use cases the slug, empty where a call has none; `0001-01-01` is the day of calls without a start. */
  key: string;
  sums: MetricSums;
}

const GROUP_KEYS: Readonly<Record<MetricGroup, RawBuilder<unknown>>> = {
  none: sql`'all'`,
  version: sql`r.version::text`,
  intent: sql`r.intent_slug`,
  useCase: sql`r.use_case_slug`,
  day: sql`r.day::text`,
  outcome: sql`r.outcome`,
};

/** When the agent's calls began and ended, and what time it is. */
export async function readCallSpan(em: EntityManager, scope: ReadScope): Promise<CallSpan & { now: string }> {
  const { rows } = await sql<{ first: string | null; newest: string | null; now: string }>`
    select (select min(c.started_at) from (select started_at from calls where ${ofAgents('agent_id', scope)}
        and state = 'analysed' and sort_at > '0001-01-01 00:00:00+00' order by sort_at, id limit 1) c) as first,
      (select max(newest_call_at) from agents where ${ofAgents('id', scope)}) as newest, now() as now`.execute(db(em));
  const [row] = rows;
  return {
    firstAt: toIsoOrNull(row?.first),
    newestAt: toIsoOrNull(row?.newest),
    now: toIsoOrNull(row?.now) ?? '',
  };
}

/**
 * Sums of a window by group, from the sums that are kept by day; only parts of days are read call by call.
 * @param settledUntil the day before which a caller has had seven days to call again.
 */
export async function readMetricSums(
  em: EntityManager,
  scope: ReadScope,
  slice: MetricSlice,
  by: MetricGroup,
  settledUntil: string,
): Promise<GroupSums[]> {
  const of = (outcome: string) => sql`coalesce(sum(r.calls) filter (where r.outcome = ${outcome}), 0)::int`;
  const dated = sql`r.day > '0001-01-01'::date`;
  const settled = sql`(${dated} and r.day < ${settledUntil}::date)`;
  const { rows } = await sql<MetricSums & { key: string }>`
    with r(${sql.join([...METRIC_COUNTS.key, ...METRIC_COUNTS.counts].map((name) => sql.ref(name)))}) as (
      ${rowsOf(METRIC_COUNTS, scope, slice)})
    select ${GROUP_KEYS[by]} as key, sum(r.calls)::int as calls, ${of('resolved')} as resolved,
      ${of('unresolved')} as unresolved, ${of('abandoned')} as abandoned, ${of('transferred')} as transferred,
      ${of('no_contact')} as no_contact, ${of('')} as "unknown", sum(r.with_tool)::int as with_tool, sum(r.tool_failed)::int as tool_failed,
      sum(r.friction)::int as friction, coalesce(sum(r.known_caller) filter (where ${settled}), 0)::int as settled_callers,
      coalesce(sum(r.called_again) filter (where ${settled}), 0)::int as called_again,
      coalesce(sum(r.known_caller) filter (where ${dated} and not ${settled}), 0)::int as open_callers,
      sum(r.response_unread)::int as response_unread
    from r group by 1 order by 1`.execute(db(em));
  return rows.map((row) => ({
    key: row.key,
    sums: Object.fromEntries(METRIC_SUMS.map((name) => [name, row[name]])) as MetricSums,
  }));
}

/** Binned times of a window by day, by version or together. */
export async function readMetricBins(
  em: EntityManager,
  scope: ReadScope,
  slice: MetricSlice,
  by: 'none' | 'version' | 'day',
): Promise<Map<string, MetricBins>> {
  const { rows } = await sql<{ key: string; measure: MetricMeasure; bins: number[]; calls: number[] }>`
    with r(${sql.join([...METRIC_BINS.key, ...METRIC_BINS.counts].map((name) => sql.ref(name)))}) as (
      ${rowsOf(METRIC_BINS, scope, slice)}),
    summed as (
      select ${GROUP_KEYS[by]} as key, r.measure, r.bin, sum(r.calls)::int as calls from r group by 1, 2, 3
    )
    select key, measure, array_agg(bin) as bins, array_agg(calls) as calls from summed group by 1, 2`.execute(db(em));
  const all = new Map<string, Record<MetricMeasure, Map<number, number>>>();
  for (const { key, measure, bins, calls } of rows) {
    const group = all.get(key) ?? { p50: new Map(), p90: new Map(), duration: new Map() };
    all.set(key, group);
    for (const [index, bin] of bins.entries()) group[measure].set(bin, calls[index] ?? 0);
  }
  return all;
}

/** At most this many calls of a window are read for medians by intent, use case or outcome: the newest. */
export const SAMPLED_CALLS = 10_000;

/** Binned times of the newest calls of a window, for groups whose times are not kept. */
export async function sampleMetricBins(
  em: EntityManager,
  scope: ReadScope,
  slice: MetricSlice,
  by: 'intent' | 'useCase' | 'outcome',
): Promise<Map<string, MetricBins>> {
  const key = {
    intent: sql`coalesce(c.intent_slug, '')`,
    useCase: sql`coalesce(c.use_case_slug, '')`,
    outcome: sql`coalesce(c.outcome, '')`,
  }[by];
  const { rows } = await sql<{ key: string } & Record<MetricMeasure, (number | null)[]>>`
    with c as (
      select * from calls c where ${callsIn(scope, slice)} order by c.sort_at desc, c.id desc limit ${SAMPLED_CALLS}
    )
    select ${key} as key, array_agg(c.response_median_ms) as p50, array_agg(c.response_slow_ms) as p90,
      array_agg(case when c.outcome <> 'no_contact' then c.duration_ms end) as duration
    from c group by 1`.execute(db(em));
  return new Map(
    rows.map((row) => {
      const [p50, p90, duration] = METRIC_MEASURES.map((measure) => binned(row[measure]));
      return [row.key, { p50: p50 ?? new Map(), p90: p90 ?? new Map(), duration: duration ?? new Map() }];
    }),
  );
}

function binned(values: readonly (number | null)[]): Map<number, number> {
  const bins = new Map<number, number>();
  for (const value of values) {
    if (value === null) continue;
    const bin = binOf(value);
    bins.set(bin, (bins.get(bin) ?? 0) + 1);
  }
  return bins;
}

/** Analysed calls `c` of a slice; a bounded one holds no calls without a start. */
export function callsIn(scope: ReadScope, { window, version }: MetricSlice): RawBuilder<unknown> {
  const where = [
    sql`${ofAgents('c.agent_id', scope)}`,
    sql`c.workspace_id = ${scope.workspaceId}`,
    sql`c.state = 'analysed'`,
  ];
  if (version !== null) where.push(sql`c.version = ${version}`);
  if (window.from !== null) where.push(sql`c.sort_at >= ${window.from}::timestamptz`);
  if (window.before !== null) where.push(sql`c.sort_at < ${window.before}::timestamptz`);
  return sql.join(where, sql` and `);
}

function rowsOf(table: SumTable, scope: ReadScope, slice: MetricSlice): RawBuilder<unknown> {
  const { from, before } = slice.window;
  const columns = sql.join([...table.key, ...table.counts].map((name) => sql.ref(`t.${name}`)));
  const kept = [sql`${ofAgents('t.agent_id', scope)}`];
  if (slice.version !== null) kept.push(sql`t.version = ${slice.version}`);
  const select = (more: RawBuilder<unknown>[]) =>
    sql`select ${columns} from ${sql.table(table.table)} t where ${sql.join([...kept, ...more], sql` and `)}`;
  if (from === null || before === null) return select([]);
  const { whole, parts } = daysOf({ from, before });
  const pieces = parts.map((window) => table.of(callsIn(scope, { ...slice, window })));
  if (whole) pieces.push(select([sql`t.day between ${whole.first}::date and ${whole.last}::date`]));
  return pieces.length > 0
    ? sql.join(
        pieces.map((piece) => sql`(${piece})`),
        sql` union all `,
      )
    : select([sql`false`]);
}

export interface StepIssue {
  issueId: string;
  title: string;
  countOnly: boolean;
  kind: PlaceKind;
  placeId: string;
  placeLabel: string;
  calls: number;
}

/** The issues of steps at which calls end badly, most calls first: also those that no list shows. */
export async function readStepIssues(
  em: EntityManager,
  scope: ReadScope,
  only: { countOnly: boolean; limit: number },
): Promise<StepIssue[]> {
  const { rows } = await sql<StepIssue>`
    select id as issue_id, title, count_only, place_kind as kind, place_id,
      place_label, volume as calls
    from issues where ${ofAgents('agent_id', scope)} and workspace_id = ${scope.workspaceId} and source = 'outcome'
      and withdrawn_at is null and (count_only or not ${only.countOnly})
    order by volume desc, id limit ${only.limit}`.execute(db(em));
  return rows;
}
