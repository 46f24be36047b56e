import { customMetric, customMetricSettings } from '../../contract/custom-metric.ts';
import { lockAgent } from '../../db/agents/lock-agent.ts';
import { canonicalJson } from '../../db/convert.ts';
import { openBackfill } from '../../db/custom-metrics/backfill.ts';
import {
  type CustomMetricView,
  findCustomMetric,
  insertCustomMetric,
  listCustomMetrics,
  METRICS_AT_MOST,
  type MetricSettings,
  updateCustomMetric,
} from '../../db/custom-metrics/metrics.ts';
import { readValueSums } from '../../db/custom-metrics/values.ts';
import { EVERY_CALL } from '../../db/metrics/read-metrics.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { backfillMetricEntry } from '../../temporal/backfill-metric.ts';
import { authorOf } from '../author-of.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { customMetricSlug } from './parent.ts';
import { presentMetric } from './present.ts';
import { readRule } from './read-rule.ts';

export const putCustomMetric = defineOperation({
  id: 'putCustomMetric',
  surface: 'v1',
  method: 'PUT',
  path: '/v1/agents/{agentId}/custom-metrics/{customMetric}',
  scope: 'write',
  tag: 'Metrics',
  summary: 'Make or change a custom metric',
  description:
    'By its slug; the same settings again change nothing. A formula is checked as it is written: its names, types and how much it may do. Another `form` or `appliesWhen` makes the next version, which asks for a `changeReason` and has values of its own: those of earlier versions are kept and mixed with nothing. While it is `on`, each call that is analysed gets a value; with `backfill` so do the calls that are there already.',
  whenToUse: 'Call it to have something measured on each call from now on; try_custom_metric first.',
  parents: [customMetricSlug],
  body: customMetricSettings,
  refuses: ['too_many_custom_metrics'],
  response: customMetric,
  async run(context, { body }) {
    const { em, agent } = context;
    const { slug } = context.parent(customMetricSlug);
    const { on: isOn, changeReason = null, backfill = false, form, appliesWhen = null, ...given } = body;
    const { name, better, description = null, badLabels = [], unit = null, share = 1 } = given;
    const read = await readRule({ form, appliesWhen });
    if ('problems' in read) throw problemOf(read.problems);
    const { answer } = read;
    const settings = { slug, name, description, answer, better, badLabels, unit, share, isOn, form, appliesWhen };
    await store(context, settings, changeReason);
    if (backfill) await orderBackfill(context, await requireStored(context, slug));
    const stored = await requireStored(context, slug);
    const [sums] = await readValueSums(em, scopeOf(agent), [stored], EVERY_CALL, 'none');
    return presentMetric(stored, sums);
  },
});

async function requireStored({ em, agent }: Context, slug: string): Promise<CustomMetricView> {
  const stored = await findCustomMetric(em, scopeOf(agent), slug);
  if (stored === null) throw new Error('A metric that was just stored is not there.');
  return stored;
}

async function orderBackfill({ em, agent }: Context, { id, version }: CustomMetricView): Promise<void> {
  const owner = { workspaceId: agent.workspaceId, agentId: agent.id };
  const metric = { ...owner, metricId: id, version };
  await openBackfill(em, metric);
  await addToOutbox(em, { entry: backfillMetricEntry(metric), ...owner });
}

const problemOf = ([first]: { param: string; message: string }[]) =>
  new Failure('invalid_body', first?.message ?? '', first && { param: first.param });

async function store(context: Context, settings: MetricSettings, changeReason: string | null): Promise<void> {
  const { em, agent } = context;
  const owner = { workspaceId: agent.workspaceId, agentId: agent.id };
  const change = { createdBy: authorOf(context.caller()), changeReason };
  // Two that make the same one come after each other.
  await lockAgent(em, agent.id);
  const metrics = await listCustomMetrics(em, scopeOf(agent));
  const before = metrics.find(({ slug }) => slug === settings.slug);
  if (before === undefined) {
    if (metrics.length >= METRICS_AT_MOST) {
      const message = `An agent has ${METRICS_AT_MOST} custom metrics at most. Remove one first.`;
      throw new Failure('too_many_custom_metrics', message);
    }
    await insertCustomMetric(em, owner, settings, change);
    return;
  }
  const ruleOf = ({ form, appliesWhen }: MetricSettings | typeof before) => canonicalJson({ form, appliesWhen });
  const isNewVersion = ruleOf(settings) !== ruleOf(before);
  if (isNewVersion && changeReason === null) {
    const message = `changeReason is missing: it makes version ${before.version + 1} of ${settings.slug}.`;
    throw new Failure('invalid_body', message, { param: 'changeReason' });
  }
  await updateCustomMetric(em, owner, before, settings, isNewVersion, change);
}
