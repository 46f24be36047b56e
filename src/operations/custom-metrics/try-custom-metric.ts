import { customMetricTrial, metricToTry } from '../../contract/custom-metric.ts';
import { findCallsById } from '../../db/calls/read-calls.ts';
import { type ComputedCall, computeMetrics } from '../../db/custom-metrics/compute.ts';
import { findCustomMetric } from '../../db/custom-metrics/metrics.ts';
import { newestCallIds } from '../../db/custom-metrics/values.ts';
import { isSameValue, type MetricRule, type MetricValue } from '../../domain/custom-metrics/metric.ts';
import type { MetricAnswer } from '../../domain/vocabulary.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { presentValue } from './present.ts';
import { readRule } from './read-rule.ts';

const SHOWN = 20;
const COMPARED = 200;

export const tryCustomMetric = defineOperation({
  id: 'tryCustomMetric',
  surface: 'v1',
  method: 'POST',
  path: '/v1/agents/{agentId}/custom-metrics/try',
  scope: 'read',
  tag: 'Metrics',
  summary: 'Try a custom metric on past calls',
  description:
    'Stores nothing. Says what is wrong with it, or what it would say of the newest 20 calls, and beside another metric of which of the newest 200 calls it would say something else.',
  whenToUse: 'Call it before put_custom_metric, as often as you like.',
  transaction: false,
  body: metricToTry,
  refuses: ['custom_metric_not_found'],
  response: customMetricTrial,
  async run(context, { body }) {
    const { form, appliesWhen = null, compareWith } = body;
    const before = compareWith === undefined ? null : await known(context, compareWith);
    const read = await readRule({ form, appliesWhen });
    const trial = { object: 'custom_metric_trial' as const };
    if ('problems' in read) {
      return { ...trial, valid: false, problems: read.problems, answer: null, calls: [], compared: null };
    }
    const { answer } = read;
    const rule = { form, appliesWhen };
    const calls = await tryOn(context, before === null ? [rule] : [rule, before], before === null ? SHOWN : COMPARED);
    const flips = calls.filter(({ values: [now, then] }) => now && then && !isSameValue(now, then));
    return {
      ...trial,
      valid: true,
      problems: [],
      answer,
      calls: calls.slice(0, SHOWN).flatMap((call) => presentTried(call, answer)),
      compared: before && {
        calls: calls.length,
        flips: flips.flatMap((call) => {
          const [, then] = call.values;
          return presentTried(call, answer).map((shown) => ({
            ...shown,
            before: presentValue(before.answer, then as MetricValue),
          }));
        }),
      },
    };
  },
});

async function known({ em, agent }: Context, slug: string) {
  const metric = await findCustomMetric(em, scopeOf(agent), slug);
  if (metric) return metric;
  throw new Failure('custom_metric_not_found', `There is no custom metric ${slug}.`, { param: 'compareWith' });
}

interface TriedCall extends ComputedCall {
  startedAt: string | null;
}

/** Newest first; calls whose words a metric would take and that are gone are left out. */
async function tryOn({ em, agent }: Context, rules: readonly MetricRule[], limit: number): Promise<TriedCall[]> {
  const scope = scopeOf(agent);
  const ids = await newestCallIds(em, scope, limit);
  const computed = new Map((await computeMetrics(em, agent.id, ids, rules)).map((one) => [one.callId, one]));
  const started = new Map((await findCallsById(em, scope, ids)).map(({ id, startedAt }) => [id, startedAt]));
  return ids.flatMap((id) => {
    const call = computed.get(id);
    return call?.values[0] ? [{ ...call, startedAt: started.get(id) ?? null }] : [];
  });
}

function presentTried({ callId, startedAt, values: [value] }: TriedCall, answer: MetricAnswer) {
  return value ? [{ callId, startedAt, ...presentValue(answer, value) }] : [];
}
