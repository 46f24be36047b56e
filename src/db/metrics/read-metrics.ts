import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type MetricBins, type MetricSums } from '../../domain/metrics/figures.ts';
import { binOf, METRIC_MEASURES, type MetricMeasure } from '../../domain/metrics/median.ts';
import { type CallSpan, daysOf, type Window } from '../../domain/metrics/range.ts';
import type { PlaceKind } from '../../domain/vocabulary.ts';
import { ofCall } from '../calls/conditions.ts';
import { NO_START_TIME } from '../calls/entities.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { columnsOf } from '../evidence/write-sums.ts';
import { now } from '../expressions.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import { METRIC_BINS, METRIC_COUNTS, type SumTable } from './metric-sums.ts';

/** What calls are grouped by; `none` puts all into one group. */
export type MetricGroup = 'none' | 'version' | 'intent' | 'useCase' | 'day' | 'outcome';

export interface MetricSlice {
  window: Window;
  /** Null for all versions. */
  version: number | null;
}

export const EVERY_CALL: MetricSlice = { window: { from: null, before: null }, version: null };

export interface GroupSums {
  /** Of intents and use cases the slug, empty where a call has none; `0001-01-01` is the day of calls without a start. */
  key: string;
  sums: MetricSums;
}

/** Of the sums `r`. */
const GROUP_KEYS: Readonly<Record<MetricGroup, string>> = {
  none: `'all'`,
  version: 'r.version::text',
  intent: 'r.intent_slug',
  useCase: 'r.use_case_slug',
  day: 'r.day::text',
  outcome: 'r.outcome',
};

/** When the agent's calls began and ended, and what time it is. */
export function readCallSpan(em: EntityManager, scope: ReadScope): Promise<CallSpan & { now: string }> {
  return db(em)
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('calls')
        .where('agentId', '=', anyAgent(scope))
        .where('state', '=', 'analysed')
        .where('sortAt', '>', NO_START_TIME)
        .select('startedAt')
        .orderBy('sortAt')
        .orderBy('id')
        .limit(1)
        .as('firstAt'),
      selectFrom('agents')
        .where('id', '=', anyAgent(scope))
        .select(({ fn }) => fn.max('newestCallAt').as('newestAt'))
        .as('newestAt'),
      now.as('now'),
    ])
    .executeTakeFirstOrThrow();
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
  const of = (outcome: string) => sql`coalesce(sum(r.calls - r.aside) filter (where r.outcome = ${outcome}), 0)::int`;
  const dated = sql`r.day > '0001-01-01'::date`;
  const settled = sql`(${dated} and r.day < ${settledUntil}::date)`;
  const { rows } = await sql<MetricSums & { key: string }>`
    with r(${columnsOf([...METRIC_COUNTS.key, ...METRIC_COUNTS.counts])}) as (
      ${rowsOf(METRIC_COUNTS, scope, slice)})
    select ${sql.raw(GROUP_KEYS[by])} as key, sum(r.calls)::int as calls, ${of('resolved')} as resolved,
      ${of('unresolved')} as unresolved, ${of('abandoned')} as abandoned, ${of('transferred')} as transferred,
      ${of('no_contact')} as no_contact, ${of('')} as "unknown", sum(r.with_tool)::int as with_tool, sum(r.tool_failed)::int as tool_failed,
      sum(r.friction)::int as friction, coalesce(sum(r.known_caller) filter (where ${settled}), 0)::int as settled_callers,
      coalesce(sum(r.called_again) filter (where ${settled}), 0)::int as called_again,
      coalesce(sum(r.known_caller) filter (where ${dated} and not ${settled}), 0)::int as open_callers,
      sum(r.response_unread)::int as response_unread, sum(r.aside)::int as aside
    from r group by 1 order by 1`.execute(db(em));
  return rows.map(({ key, ...sums }) => ({ key, sums }));
}

/** Binned times of a window by day, by version or together. */
export async function readMetricBins(
  em: EntityManager,
  scope: ReadScope,
  slice: MetricSlice,
  by: 'none' | 'version' | 'day',
): Promise<Map<string, MetricBins>> {
  const { rows } = await sql<{ key: string; measure: MetricMeasure; bins: number[]; calls: number[] }>`
    with r(${columnsOf([...METRIC_BINS.key, ...METRIC_BINS.counts])}) as (
      ${rowsOf(METRIC_BINS, scope, slice)}),
    summed as (
      select ${sql.raw(GROUP_KEYS[by])} as key, r.measure, r.bin, sum(r.calls)::int as calls from r group by 1, 2, 3
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
const SAMPLED_CALLS = 10_000;

/** Binned times of the newest calls of a window, for groups whose times are not kept. */
export async function sampleMetricBins(
  em: EntityManager,
  scope: ReadScope,
  slice: MetricSlice,
  by: 'intent' | 'useCase' | 'outcome',
): Promise<Map<string, MetricBins>> {
  const slug = ({ intent: 'c.intentSlug', useCase: 'c.useCaseSlug', outcome: 'c.outcome' } as const)[by];
  const newest = db(em)
    .selectFrom('calls as c')
    .where(callsIn(scope, slice))
    .select(['c.responseMedianMs as p50', 'c.responseSlowMs as p90'])
    .select((eb) => [
      eb.fn.coalesce(eb.ref(slug).$castTo<string | null>(), eb.val('')).as('key'),
      eb.case().when('c.outcome', '<>', 'no_contact').then(eb.ref('c.durationMs')).end().as('duration'),
    ])
    .orderBy('c.sortAt', 'desc')
    .orderBy('c.id', 'desc')
    .limit(SAMPLED_CALLS);
  const rows = await db(em)
    .selectFrom(newest.as('c'))
    .groupBy('key')
    .select(({ fn }) => [
      'key',
      fn.agg<(number | null)[]>('array_agg', ['p50']).as('p50'),
      fn.agg<(number | null)[]>('array_agg', ['p90']).as('p90'),
      fn.agg<(number | null)[]>('array_agg', ['duration']).as('duration'),
    ])
    .execute();
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
export function callsIn(scope: ReadScope, { window, version }: MetricSlice): Expression<SqlBool> {
  const where = [
    ofCall('c.agentId', '=', anyAgent(scope)),
    ofCall('c.workspaceId', '=', scope.workspaceId),
    ofCall('c.state', '=', 'analysed'),
  ];
  if (version !== null) where.push(ofCall('c.version', '=', version));
  if (window.from !== null) where.push(ofCall('c.sortAt', '>=', window.from));
  if (window.before !== null) where.push(ofCall('c.sortAt', '<', window.before));
  return ofCall.and(where);
}

function rowsOf(table: SumTable, scope: ReadScope, slice: MetricSlice): RawBuilder<unknown> {
  const { from, before } = slice.window;
  const columns = columnsOf([...table.key, ...table.counts], 't');
  const kept = [sql`t.agent_id = ${anyAgent(scope)}`];
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
    : select([sql.lit(false)]);
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
export function readStepIssues(
  em: EntityManager,
  scope: ReadScope,
  only: { countOnly: boolean; limit: number },
): Promise<StepIssue[]> {
  let issues = db(em)
    .selectFrom('issues')
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId)
    .where('source', '=', 'outcome')
    .where('withdrawnAt', 'is', null);
  if (only.countOnly) issues = issues.where('countOnly', '=', true);
  return issues
    .select(['id as issueId', 'title', 'countOnly', 'placeKind as kind', 'placeId', 'placeLabel', 'volume as calls'])
    .orderBy('volume', 'desc')
    .orderBy('id')
    .limit(only.limit)
    .execute();
}
