import { sql } from 'kysely';
import { isDrawn } from '../../domain/custom-metrics/draw.ts';
import { FIELDS_AT_MOST, METADATA, type StoredFacts, TEXT_AT_MOST } from '../../domain/custom-metrics/facts.ts';
import { type MetricValue, type MetricVersion, unknownValue } from '../../domain/custom-metrics/metric.ts';
import type { PatternCall } from '../../domain/custom-metrics/pattern.ts';
import type { Formula } from '../../formulas/formula.ts';
import { mapInTurns } from '../../map-in-turns.ts';
import { readRules } from '../agents/agent-source.ts';
import { loadRecords } from '../analysis/load-for-analysis.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { alsoOfAgent, anyId } from '../expressions.ts';
import { metricsToCompute } from './metrics.ts';
import { writeMetricValues } from './values.ts';

/**
 * Computes what an agent's metrics say of these calls from what is stored of them, and stores it: called after every
 * change of what is stored, within its transaction. Doing it again changes nothing.
 */
export async function storeMetrics(em: EntityManager, agentId: string, callIds: readonly string[]): Promise<void> {
  const metrics = await metricsToCompute(em, agentId);
  if (metrics.length === 0 || callIds.length === 0) return;
  await storeValuesOf(em, agentId, callIds, metrics);
}

/** The same of some metrics. */
export async function storeValuesOf(
  em: EntityManager,
  agentId: string,
  callIds: readonly string[],
  metrics: readonly MetricVersion[],
): Promise<void> {
  const computed = await computeMetrics(em, agentId, callIds, metrics);
  const rows = computed.flatMap(({ callId, values }) =>
    values.flatMap((value, at) => {
      const metric = metrics[at];
      if (metric === undefined || value === null || !isDrawn(callId, metric.share)) return [];
      return [{ metricId: metric.metricId, version: metric.version, callId, ...value }];
    }),
  );
  await writeMetricValues(em, agentId, rows);
}

/** What some metrics say of a call, in their order; null where its words are gone and it would take them. */
export interface ComputedCall {
  callId: string;
  values: (MetricValue | null)[];
}

/** Reads transcripts only where a metric is about what was said. Calls that are not analysed are left out. */
export async function computeMetrics(
  em: EntityManager,
  agentId: string,
  callIds: readonly string[],
  rules: readonly Pick<MetricVersion, 'form' | 'appliesWhen'>[],
): Promise<ComputedCall[]> {
  // Loaded where metrics are computed: most processes never do.
  const { outsideOf, readCondition, readFormula } = await import('../../formulas/formula.ts');
  // One that an earlier release took and this one does not read is unknown: nothing that people write keeps calls from being stored.
  const usable = (read: ReturnType<typeof readFormula>): Formula =>
    'problem' in read ? { answer: 'yes_no', readsMetadata: false, evaluate: () => unknownValue(read.problem) } : read;
  const prepared = rules.map(({ form, appliesWhen }) => ({
    form,
    formula: form.kind === 'formula' ? usable(readFormula(form.expression)) : null,
    condition: appliesWhen === null ? null : usable(readCondition(appliesWhen)),
  }));
  const isRead = prepared.some(({ formula, condition }) => formula?.readsMetadata || condition?.readsMetadata);
  const hasPattern = rules.some(({ form }) => form.kind === 'pattern');
  const calls = await readFacts(em, agentId, callIds, isRead);
  const looked = hasPattern ? await patternCalls(em, agentId, callIds) : new Map<string, PatternCall>();
  const patterns = hasPattern ? await import('../../domain/custom-metrics/pattern.ts') : null;
  const valuesOf = ({ callId, wordsGone, variables, facts }: CallToCompute) =>
    prepared.map(({ form, formula, condition }) => {
      const needsWords = form.kind === 'pattern' || formula?.readsMetadata || condition?.readsMetadata;
      if (wordsGone && needsWords) return null;
      const call = { facts, variables };
      const outside = outsideOf(condition, call);
      if (outside !== null) return outside;
      if (formula !== null) return formula.evaluate(call);
      const words = looked.get(callId);
      return form.kind === 'pattern' && patterns && words ? patterns.evaluatePattern(form, words) : null;
    });
  return mapInTurns(calls, (call) => ({ callId: call.callId, values: valuesOf(call) }));
}

interface CallToCompute {
  callId: string;
  wordsGone: boolean;
  variables: Readonly<Record<string, string>> | null;
  facts: StoredFacts;
}

const COLUMNS = [
  'version',
  'startedAt',
  'durationMs',
  'direction',
  'disconnectionReason',
  'costUsd',
  'callerKind',
  'callerSpoke',
  'outcome',
  'outcomeConfidence',
  'endedBadly',
  'intentSlug',
  'useCaseSlug',
  'callerTurns',
  'agentTurns',
  'toolResults',
  'toolFailures',
  'frictions',
  'responseMedianMs',
  'responseSlowMs',
  'signalCodes',
] as const satisfies (keyof StoredFacts)[];

/** Thousands of calls are read at once, so what is longer than any formula reads is cut where it lies. */
const LARGE_BYTES = 65_536;
const VARIABLES = sql<Record<string, string> | null>`(
  select case when pg_column_size(of_call.variables) < ${sql.lit(LARGE_BYTES)} then of_call.variables else (
    select jsonb_object_agg(few.key, left(few.value, ${sql.lit(TEXT_AT_MOST)}))
    from (select key, value from jsonb_each_text(of_call.variables) limit ${sql.lit(FIELDS_AT_MOST)}) few
  ) end
  from (select t.call -> 'variables' as variables from transcripts t where t.call_id = calls.id offset 0) of_call
)`;

/** @param withVariables opens the record of each call, which takes ten times as long as its facts alone. */
export async function readFacts(
  em: EntityManager,
  agentId: string,
  callIds: readonly string[],
  withVariables: boolean,
): Promise<CallToCompute[]> {
  const variables = withVariables ? VARIABLES : sql<null>`null`;
  const rows = await db(em)
    .selectFrom('calls')
    .where('id', '=', anyId(callIds))
    .where(alsoOfAgent('calls', agentId))
    .where('state', '=', 'analysed')
    .select(['id as callId', 'wordsGone', ...COLUMNS])
    .select(variables.as(METADATA))
    .execute();
  return rows.map(({ callId, wordsGone, metadata, ...facts }) => ({ callId, wordsGone, variables: metadata, facts }));
}

async function patternCalls(
  em: EntityManager,
  agentId: string,
  callIds: readonly string[],
): Promise<Map<string, PatternCall>> {
  const { readToolUses } = await import('../../domain/calls/tool-uses.ts');
  const records = await loadRecords(em, agentId, [...callIds]);
  const { toolRules } = await readRules(em, agentId);
  const found = await db(em)
    .selectFrom('calls as c')
    .leftJoin('computability_profiles as p', 'p.id', 'c.profileId')
    .where('c.id', '=', anyId(callIds))
    .select(['c.id', 'p.notComputable'])
    .select(
      sql<{ code: string; turn: number }[]>`coalesce((select jsonb_agg(jsonb_build_object('code', s.code, 'turn',
      s.turn_index) order by s.ordinal) from call_signals s where s.call_id = c.id), '[]')`.as('signals'),
    )
    .execute();
  const stored = new Map(found.map(({ id, ...row }) => [id, row]));
  return new Map(
    records.map(({ callId, call, configuration }) => {
      const defined = configuration?.tools ?? [];
      const tools = readToolUses(call, defined, toolRules);
      const { signals = [], notComputable = [] } = stored.get(callId) ?? {};
      const codes = (notComputable ?? []).map(({ code }) => code);
      const knowsTools = tools.length > 0 || defined.length > 0;
      return [callId, { call, tools, knowsTools, signals, notComputable: codes }];
    }),
  );
}
