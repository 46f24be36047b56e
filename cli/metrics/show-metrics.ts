import type { CustomMetricCalls, CustomMetricDetail, CustomMetricResource } from '../../src/contract/custom-metric.ts';
import { chooseAgent } from '../choose-agent.ts';
import { percent } from '../print.ts';
import type { Session } from '../session.ts';

interface Chosen {
  agent?: string;
}
type Figure = Pick<CustomMetricResource['figure'], 'value' | 'interval' | 'labels'>;
type Metric = Pick<CustomMetricResource, 'answer' | 'unit'>;

export async function showMetrics(session: Session, options: Chosen): Promise<void> {
  const { client, print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const { data } = await client.read<{ data: CustomMetricResource[] }>(`/v1/agents/${agent.id}/custom-metrics`);
  if (json) return print.json(data);
  if (data.length === 0) return print.line('No custom metrics.');
  print.table(
    ['Metric', 'Name', 'Value', '95 %', 'Calls', 'Not applicable', 'Unknown', ''],
    data.map((metric) => [
      metric.slug,
      metric.name,
      inWords(metric, metric.figure),
      intervalOf(metric, metric.figure),
      String(metric.figure.n),
      String(metric.figure.notApplicable),
      String(metric.figure.unknown),
      standing(metric),
    ]),
  );
}

const WORST = 10;

export async function showMetric(session: Session, slug: string, options: Chosen): Promise<void> {
  const { client, print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const path = `/v1/agents/${agent.id}/custom-metrics/${encodeURIComponent(slug)}`;
  const detail = await client.read<CustomMetricDetail>(`${path}?groupBy=version`);
  const { calls } = await client.read<CustomMetricCalls>(`${path}/calls?order=worst&state=value&limit=${WORST}`);
  if (json) return print.json({ ...detail, calls });
  const { metric, groups, versions } = detail;
  print.line(`${metric.name} (${metric.slug}, version ${metric.version}, ${standing(metric)})`);
  print.line(JSON.stringify(metric.form));
  if (metric.appliesWhen !== null) print.line(`on calls where ${metric.appliesWhen}`);
  print.table(
    ['Version', 'Value', '95 %', 'Calls', 'Not applicable', 'Unknown', 'Against the version before'],
    groups.map((group) => [
      group.key,
      inWords(metric, group),
      intervalOf(metric, group),
      String(group.n),
      String(group.notApplicable),
      String(group.unknown),
      group.sinceBefore === null
        ? ''
        : `${shown(metric, group.sinceBefore.difference)} (${shown(metric, group.sinceBefore.lower)} to ${shown(metric, group.sinceBefore.upper)})`,
    ]),
  );
  print.table(
    ['Worst calls', 'Value', 'Quote'],
    calls.map(({ call, value, quote }) => [
      call.providerCallId,
      typeof value === 'number' ? shown(metric, value) : String(value),
      quote,
    ]),
  );
  for (const { version, changeReason } of versions) {
    if (changeReason !== null) print.line(`Version ${version}: ${changeReason}`);
  }
}

const standing = ({ on, backfill }: CustomMetricResource) => {
  const isUnderWay = backfill !== null && backfill.state !== 'complete';
  return [on ? 'on' : 'off', ...(isUnderWay ? [`${backfill.state}: ${backfill.done} of ${backfill.total}`] : [])].join(
    ', ',
  );
};

function inWords(metric: Metric, { value, labels }: Figure): string {
  if (value !== null) return shown(metric, value);
  return labels
    .slice(0, 3)
    .map(({ label, calls }) => `${label} ${calls}`)
    .join(', ');
}

const intervalOf = (metric: Metric, { interval }: Figure) =>
  interval === null ? '' : `${shown(metric, interval.lower)} to ${shown(metric, interval.upper)}`;

function shown({ answer, unit }: Metric, value: number): string {
  if (answer === 'yes_no') return percent(value);
  const text = String(Number(value.toPrecision(4)));
  return unit === null ? text : `${text} ${unit}`;
}
