import { type RawBuilder, sql } from 'kysely';
import type { Steps, Sums } from '../../domain/alarms/read-window.ts';
import type { Filter } from '../../domain/filters/filter.ts';
import { BIN_RATIO } from '../../domain/metrics/median.ts';
import { conditionOf } from '../calls/filter-conditions.ts';
import { isCounted } from '../calls/nobodys-failure.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { callsIn, EVERY_CALL } from '../metrics/read-metrics.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';

/** What is counted on a call `c`: a number, or null where the call does not say it. */
export type CountedOnCall = (scope: ReadScope) => RawBuilder<number | null>;

const isOutcome =
  (outcome: string): CountedOnCall =>
  () =>
    sql`case when ${isCounted} then (c.outcome = ${outcome})::int end`;

/** The figures of the board that are known of a call at once, by the definitions of `METRIC_COUNTS` and `METRIC_BINS`. */
export const COUNTED_METRICS: Readonly<Record<string, CountedOnCall>> = {
  got_it_done: isOutcome('resolved'),
  unresolved: isOutcome('unresolved'),
  abandoned: isOutcome('abandoned'),
  handed_off: isOutcome('transferred'),
  no_contact: () => sql`case when c.outcome is not null then (c.outcome = 'no_contact')::int end`,
  tool_failure: () => sql`case when c.tool_results > 0 then (c.tool_failures > 0)::int end`,
  friction: () => sql`(c.frictions > 0)::int`,
  response_latency_p50_ms: () => sql`c.response_median_ms`,
  response_latency_p90_ms: () => sql`c.response_slow_ms`,
  duration_ms: () => sql`case when c.outcome <> 'no_contact' then c.duration_ms end`,
};

export const everyCall: CountedOnCall = () => sql`1`;
export const costOfCall: CountedOnCall = () => sql`c.cost_usd`;

export const hasSignal =
  (code: string): CountedOnCall =>
  (scope) =>
    sql`
  case when c.profile_id = any(array(select p.id from computability_profiles p where p.agent_id = ${anyAgent(scope)}
    and p.not_computable @> ${JSON.stringify([{ code }])}::jsonb)) then null
  else (c.signal_codes @> array[${code}])::int end`;

/** @param label the one that is counted, where the metric answers with labels. */
export const valueOfMetric =
  ({ id, version }: { id: string; version: number }, label: string | null): CountedOnCall =>
  () =>
    sql`(select ${label === null ? sql`v.number` : sql`(v.label = ${label})::int`}
  from custom_metric_values v where v.metric_id = ${id} and v.version = ${version} and v.call_id = c.id
    and v.state = 'value')`;

export interface Counting {
  counted: CountedOnCall;
  isMedian: boolean;
  filter: Filter | null;
  stepMs: number;
}

interface StepRow {
  step: number;
  bin: number | null;
  calls: number;
  n: number;
  sum: number;
  squares: number;
}

/** Adds up calls by the step in which they began. @param ranges of steps, none of which overlap */
export async function readSteps(
  em: EntityManager,
  scope: ReadScope,
  { counted, isMedian, filter, stepMs }: Counting,
  ranges: readonly { from: number; to: number }[],
): Promise<Steps['sums']> {
  const at = (step: number) => new Date(step * stepMs).toISOString();
  const from = ranges.map((range) => at(range.from));
  const to = ranges.map((range) => at(range.to));
  const bin = isMedian ? sql`floor(ln(greatest(q.x, 1)) / ln(${BIN_RATIO}::float8))::int` : sql`null::int`;
  // What is counted may be looked up: `offset 0` has that done once a call, and not once a sum.
  const { rows } = await sql<StepRow>`
    select floor(date_part('epoch', q.sort_at) * 1000 / ${stepMs}::float8)::int as step, ${bin} as bin,
      count(*)::int as calls, count(q.x)::int as n, coalesce(sum(q.x), 0)::float8 as sum,
      coalesce(sum(q.x * q.x), 0)::float8 as squares
    from unnest(${from}::timestamptz[], ${to}::timestamptz[]) as r(from_at, to_at)
    cross join lateral (
      select c.sort_at, (${counted(scope)})::float8 as x from calls c
      where ${callsIn(scope, EVERY_CALL)} and c.sort_at >= r.from_at and c.sort_at < r.to_at
        ${filter === null ? sql`` : sql`and ${conditionOf(filter, scope)}`}
      offset 0
    ) q
    group by 1, 2`.execute(db(em));
  const sums = new Map<number, Sums>();
  for (const { step, bin: inBin, ...row } of rows) {
    const { bins, ...found } = sums.get(step) ?? {
      calls: 0,
      n: 0,
      sum: 0,
      squares: 0,
      bins: new Map<number, number>(),
    };
    sums.set(step, {
      calls: found.calls + row.calls,
      n: found.n + row.n,
      sum: found.sum + row.sum,
      squares: found.squares + row.squares,
      bins: inBin === null ? bins : new Map(bins).set(inBin, row.n),
    });
  }
  return sums;
}
