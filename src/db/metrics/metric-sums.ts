import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { BIN_RATIO } from '../../domain/metrics/median.ts';
import { MICRO_USD } from '../../domain/signals/agent-costs.ts';
import { START } from '../../domain/signals/end-step.ts';
import { isNobodysFailure } from '../calls/nobodys-failure.ts';
import { dayOf } from '../evidence/rebuild-evidence.ts';
import type { SumColumns } from '../evidence/write-sums.ts';

/**
 * The sums that figures and flow are read from, over the analysed calls `c` of a condition. They are added batch by
 * batch, counted anew by a full regroup and read for parts of a day by the same text, so that all three agree.
 */
export interface SumTable extends SumColumns {
  table: 'metric_counts' | 'metric_bins' | 'flow_counts' | 'cost_bins';
  /** Rows of key and counts, in order. */
  of(where: Expression<SqlBool>): RawBuilder<unknown>;
}

export const METRIC_COUNTS: SumTable = {
  table: 'metric_counts',
  key: ['day', 'version', 'outcome', 'intent_slug', 'use_case_slug'],
  counts: ['calls', 'with_tool', 'tool_failed', 'friction', 'known_caller', 'called_again', 'response_unread', 'aside'],
  of: (where) => sql`
    select ${dayOf}, c.version, coalesce(c.outcome, ''), coalesce(c.intent_slug, ''), coalesce(c.use_case_slug, ''), count(*)::int,
      count(*) filter (where c.tool_results > 0)::int,
      count(*) filter (where c.tool_results > 0 and c.tool_failures > 0)::int,
      count(*) filter (where c.frictions > 0)::int,
      count(*) filter (where c.caller_key is not null and c.started_at is not null)::int,
      count(*) filter (where c.called_again)::int,
      count(*) filter (where c.outcome <> 'no_contact' and c.response_median_ms is null)::int,
      count(*) filter (where ${isNobodysFailure})::int
    from calls c where ${where} group by 1, 2, 3, 4, 5`,
};

export const METRIC_BINS: SumTable = {
  table: 'metric_bins',
  key: ['day', 'version', 'measure', 'bin'],
  counts: ['calls'],
  of: (where) => sql`
    select ${dayOf}, c.version, m.measure, floor(ln(greatest(m.ms, 1)::float8) / ln(${BIN_RATIO}::float8))::int,
      count(*)::int
    from calls c cross join lateral (values ('p50', c.response_median_ms), ('p90', c.response_slow_ms),
      ('duration', case when c.outcome <> 'no_contact' then c.duration_ms end)) m(measure, ms)
    where m.ms is not null and ${where} group by 1, 2, 3, 4`,
};

/** What stands for a step in keys: places have names of any length. */
const stepOf = (kind: RawBuilder<unknown>, id: RawBuilder<unknown>) => sql`md5(${kind} || chr(31) || ${id})::uuid`;

const textOf = (document: string, part: string | number) => sql`(${sql.ref(document)} ->> ${sql.lit(part)})`;

/** The steps of a visit set `v`: those of the flow, else the start and the tools, and the one at which its calls ended. */
const steps = sql`
  select e ->> 'kind' as kind, e ->> 'id' as id, e ->> 'label' as label from jsonb_array_elements(v.places) e
  where e ->> 'kind' = case when v.end_step ->> 'kind' = 'node' then 'node' else 'tool' end
  union select v.end_step ->> 'kind', v.end_step ->> 'id', v.end_step ->> 'label'
  union select ${START.kind}, ${START.id}, ${START.label} where v.end_step ->> 'kind' <> 'node'`;

/** As the flow document names a step: only what is no node says what it is. */
const flowId = (kind: RawBuilder<unknown>, id: RawBuilder<unknown>) =>
  sql`case when ${kind} = 'node' then ${id} else ${kind} || ':' || ${id} end`;

/** Ids of the visit sets `v` of a condition whose calls reached a step, or went from it to the next. */
export const setsThrough = (where: RawBuilder<unknown>, step: string, next: string | null) =>
  next === null
    ? sql`select v.id from visit_sets v where ${where} and v.end_step is not null and exists (
        select 1 from (${steps}) one where ${flowId(sql.ref('one.kind'), sql.ref('one.id'))} = ${step})`
    : sql`select v.id from visit_sets v where ${where} and v.end_step is not null and exists (
        select 1 from jsonb_array_elements(v.path -> 'moves') e
        where ${flowId(textOf('e', 0), textOf('e', 1))} = ${step} and ${flowId(textOf('e', 2), textOf('e', 3))} = ${next})`;

const FLOW_COUNTS: SumTable = {
  table: 'flow_counts',
  key: ['version', 'part', 'from_step', 'to_step', 'outcome'],
  counts: ['calls', 'bad'],
  of: (where) => sql`
    select version, part, from_step, to_step, outcome, sum(calls)::int, sum(bad)::int from (
      with n as materialized (
        select c.visit_set_id, c.version, c.outcome, count(*) as calls, count(*) filter (where c.ended_badly) as bad
        from calls c where ${where} group by 1, 2, 3
      ), went as materialized (
        select n.version, n.outcome, n.calls, n.bad, v.places, v.end_step, v.path
        from n join visit_sets v on v.id = n.visit_set_id where v.end_step is not null
      )
      select v.version, 'step' as part, s.step as from_step, s.step as to_step, '' as outcome, v.calls, v.bad
      from went v cross join lateral (
        select distinct ${stepOf(sql.ref('one.kind'), sql.ref('one.id'))} as step from (${steps}) one) s
      union all
      select v.version, 'end', e.step, e.step, coalesce(v.outcome, ''), v.calls, v.bad
      from went v cross join lateral (
        select ${stepOf(textOf('v.end_step', 'kind'), textOf('v.end_step', 'id'))} as step) e
      union all
      select v.version, 'loop', l.step, l.step, '', v.calls, v.bad
      from went v cross join lateral (
        select ${stepOf(textOf('e', 0), textOf('e', 1))} as step from jsonb_array_elements(v.path -> 'loops') e) l
      union all
      select v.version, 'move', m.from_step, m.to_step, '', v.calls, v.bad
      from went v cross join lateral (
        select ${stepOf(textOf('e', 0), textOf('e', 1))} as from_step,
          ${stepOf(textOf('e', 2), textOf('e', 3))} as to_step
        from jsonb_array_elements(v.path -> 'moves') e) m
    ) parts group by 1, 2, 3, 4, 5`,
};

/** Of all time and all versions, because a call is expensive beside all that its agent did. */
const COST_BINS: SumTable = {
  table: 'cost_bins',
  key: ['bin'],
  counts: ['calls'],
  of: (where) => sql`
    select floor(ln(greatest(c.cost_usd * ${MICRO_USD}::float8, 1)) / ln(${BIN_RATIO}::float8))::int, count(*)::int
    from calls c where c.cost_usd > 0 and c.outcome <> 'no_contact' and ${where} group by 1`,
};

export const SUM_TABLES: readonly SumTable[] = [METRIC_COUNTS, METRIC_BINS, FLOW_COUNTS, COST_BINS];

/** Names of the steps of the visit sets of a condition on `v`. */
export function stepNames(where: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select distinct on (1) ${stepOf(sql.ref('s.kind'), sql.ref('s.id'))} as step, s.kind, s.id, s.label
    from visit_sets v cross join lateral (${steps}) s
    where v.end_step is not null and ${where} order by 1, v.id desc`;
}
