import { sql } from 'kysely';
import type { MetricValue } from '../../domain/custom-metrics/metric.ts';
import type { MetricState } from '../../domain/vocabulary.ts';
import { type CallView, findCallsById } from '../calls/read-calls.ts';
import { storable } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId } from '../expressions.ts';
import { callsIn, EVERY_CALL, type MetricSlice } from '../metrics/read-metrics.ts';
import type { ReadScope } from '../read-scope.ts';
import type { CustomMetricView } from './metrics.ts';

export interface ValueToStore extends MetricValue {
  metricId: string;
  version: number;
  callId: string;
}

/** A later value of the same version replaces the one before. */
export async function writeMetricValues(
  em: EntityManager,
  agentId: string,
  values: readonly ValueToStore[],
): Promise<void> {
  if (values.length === 0) return;
  await sql`
    insert into custom_metric_values as v (metric_id, version, call_id, agent_id, state, number, label, turn, quote, because)
    select g."metricId", g.version, g."callId", ${agentId}::uuid, g.state, g.number, g.label, g.turn, g.quote, g.because
    from jsonb_to_recordset(${JSON.stringify(storable(values))}::jsonb) as g("metricId" uuid, version int, "callId" uuid,
      state text, number float8, label text, turn int, quote text, because text)
    on conflict (metric_id, version, call_id) do update set state = excluded.state, number = excluded.number,
      label = excluded.label, turn = excluded.turn, quote = excluded.quote, because = excluded.because
    where (v.state, v.number, v.label, v.turn, v.quote, v.because) is distinct from
      (excluded.state, excluded.number, excluded.label, excluded.turn, excluded.quote, excluded.because)
  `.execute(db(em));
}

export type ValueOfCall = MetricValue & { callId: string } & Pick<
    CustomMetricView,
    'slug' | 'name' | 'answer' | 'unit' | 'better'
  > & {
    badLabels: string[];
    version: number;
  };

/** What the metrics of an agent say of calls, each at the version in force. */
export async function readValuesOfCalls(em: EntityManager, callIds: readonly string[]): Promise<ValueOfCall[]> {
  if (callIds.length === 0) return [];
  return db(em)
    .selectFrom('custom_metric_values as v')
    .innerJoin('custom_metrics as m', (join) =>
      join.onRef('m.id', '=', 'v.metricId').onRef('m.version', '=', 'v.version'),
    )
    .where('v.callId', '=', anyId(callIds))
    .select(['v.callId', 'm.slug', 'm.name', 'm.answer', 'm.unit', 'm.better', 'm.badLabels', 'v.version'])
    .select(['v.state', 'v.number', 'v.label', 'v.turn', 'v.quote', 'v.because'])
    .orderBy('m.slug')
    .execute();
}

export type OrderOfCalls = 'newest' | 'worst';

export interface CallOfMetric extends MetricValue {
  call: CallView;
}

/** The first calls of a metric at the version in force. Worst first: by its value, where one end is worse; bad labels before others. */
export async function readCallsOfMetric(
  em: EntityManager,
  scope: ReadScope,
  metric: CustomMetricView,
  slice: MetricSlice,
  asked: { state: MetricState | null; label: string | null; order: OrderOfCalls; limit: number },
): Promise<CallOfMetric[]> {
  const { state, label, order, limit } = asked;
  const rows = await db(em)
    .selectFrom('custom_metric_values as v')
    .innerJoin('calls as c', 'c.id', 'v.callId')
    .where('v.metricId', '=', metric.id)
    .where('v.version', '=', metric.version)
    .where(callsIn(scope, slice))
    .$if(state !== null, (query) => query.where('v.state', '=', state ?? 'value'))
    .$if(label !== null, (query) => query.where('v.label', '=', label))
    .select(['c.id', 'v.state', 'v.number', 'v.label', 'v.turn', 'v.quote', 'v.because'])
    .$if(order === 'worst' && metric.better !== 'neither', (query) =>
      query.orderBy('v.number', (by) => (metric.better === 'higher' ? by.asc() : by.desc()).nullsLast()),
    )
    .$if(order === 'worst' && metric.badLabels.length > 0, (query) =>
      query.orderBy(sql`coalesce(v.label = any(${metric.badLabels}::text[]), false)`, 'desc'),
    )
    .orderBy('c.sortAt', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  const calls = new Map((await findCallsById(em, scope, ids)).map((call) => [call.id, call]));
  return rows.flatMap(({ id, ...value }) => {
    const call = calls.get(id);
    return call ? [{ ...value, call }] : [];
  });
}

export const FIGURE_GROUPS = ['version', 'intent', 'outcome', 'day'] as const;
export type FigureGroup = (typeof FIGURE_GROUPS)[number];

/** Values of the calls of one group, added up. */
export interface ValueSums {
  metricId: string;
  key: string;
  n: number;
  notApplicable: number;
  unknown: number;
  sum: number;
  squares: number;
  /** Calls by label, most first; empty where the metric answers otherwise. */
  labels: { label: string; calls: number }[];
}

const KEYS: Readonly<Record<FigureGroup | 'none', string>> = {
  none: `'all'`,
  version: 'c.version::text',
  intent: `coalesce(c.intent_slug, '')`,
  outcome: `coalesce(c.outcome, '')`,
  day: `(c.sort_at at time zone 'UTC')::date::text`,
};

const LABELS_AT_MOST = 100;

/** Sums over the calls of a slice, of each metric at the version in force. */
export async function readValueSums(
  em: EntityManager,
  scope: ReadScope,
  metrics: readonly Pick<CustomMetricView, 'id' | 'version'>[],
  slice: MetricSlice,
  by: FigureGroup | 'none',
): Promise<ValueSums[]> {
  const asked = JSON.stringify(metrics.map(({ id, version }) => ({ id, version })));
  const { rows } = await sql<ValueSums>`
    with asked as (select * from jsonb_to_recordset(${asked}::jsonb) as a(id uuid, version int)),
    given as materialized (
      select v.metric_id, ${sql.raw(KEYS[by])} as key, v.state, v.number, v.label
      from asked a join custom_metric_values v on v.metric_id = a.id and v.version = a.version
      join calls c on c.id = v.call_id where ${callsIn(scope, slice)}
    ), labels as (
      select metric_id, key, jsonb_agg(jsonb_build_object('label', label, 'calls', calls) order by calls desc, label) as labels
      from (select *, row_number() over (partition by metric_id, key order by calls desc, label) as nth
        from (select metric_id, key, label, count(*)::int as calls from given where label is not null group by 1, 2, 3) one) l
      where nth <= ${LABELS_AT_MOST} group by 1, 2
    )
    select g.metric_id as "metricId", g.key, count(*) filter (where g.state = 'value')::int as n,
      count(*) filter (where g.state = 'not_applicable')::int as "notApplicable",
      count(*) filter (where g.state = 'unknown')::int as "unknown",
      coalesce(sum(g.number), 0)::float8 as sum, coalesce(sum(g.number * g.number), 0)::float8 as squares,
      coalesce(max(l.labels::text)::jsonb, '[]') as labels
    from given g left join labels l on l.metric_id = g.metric_id and l.key = g.key
    group by 1, 2 order by 1, 2`.execute(db(em));
  return rows;
}

/** Calls of a slice, newest first. */
export async function newestCallIds(em: EntityManager, scope: ReadScope, limit: number): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('calls as c')
    .where(callsIn(scope, EVERY_CALL))
    .select('c.id')
    .orderBy('c.sortAt', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
