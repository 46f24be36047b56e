import { isDeepStrictEqual } from 'node:util';
import type { CustomMetricResource, CustomMetricTrial } from '../../src/contract/custom-metric.ts';
import { requireAgent } from '../choose-agent.ts';
import { EXIT, Problem } from '../problem.ts';
import type { Session } from '../session.ts';
import { type FileOptions, pullFiles, readFiles, type Settings, type SettingsFiles } from '../settings-files.ts';

const METRIC_FILES: SettingsFiles = { noun: 'metric', command: 'metrics', folder: 'metrics/earshot', withDefaults };

/** `earshot metrics pull`: a file for each metric. A file that differs is kept, unless it is to be taken from the server. */
export async function pullMetrics(session: Session, options: FileOptions & { force?: boolean }): Promise<void> {
  const { metrics } = await readServer(session, options);
  await pullFiles(
    session,
    options,
    METRIC_FILES,
    metrics.map((metric) => ({ slug: metric.slug, settings: settingsOf(metric) })),
  );
}

interface PushOptions extends FileOptions {
  reason?: string;
  backfill?: boolean;
  dryRun?: boolean;
}

/** `earshot metrics push`: every file is tried on past calls before anything is sent. @throws Problem where one is refused */
export async function pushMetrics(session: Session, options: PushOptions): Promise<void> {
  const { client, print, json } = session;
  const { folder, files } = await readFiles(METRIC_FILES, options);
  const { agentId, metrics } = await readServer(session, options);
  const standing = new Map(metrics.map((metric) => [metric.slug, settingsOf(metric)]));
  const toSend = files.filter(({ slug, settings }) => !isDeepStrictEqual(withDefaults(settings), standing.get(slug)));
  const base = `/v1/agents/${agentId}/custom-metrics`;
  const tried: { path: string; slug: string; isNew: boolean; flips: number | null; calls: number }[] = [];
  const problems: string[] = [];
  for (const { path, slug, settings } of toSend) {
    const { form, appliesWhen } = settings;
    const compareWith = standing.has(slug) ? { compareWith: slug } : {};
    const body = { form, appliesWhen, ...compareWith };
    const trial = await client.write<CustomMetricTrial>('POST', `${base}/try`, body);
    for (const { param, message } of trial.problems) problems.push(`${path}: ${param}: ${message}`);
    const { compared, calls } = trial;
    const isNew = !standing.has(slug);
    tried.push({ path, slug, isNew, flips: compared?.flips.length ?? null, calls: compared?.calls ?? calls.length });
  }
  for (const problem of problems) print.note(problem);
  if (problems.length > 0)
    throw new Problem(`Nothing was sent: ${problems.length} problems in the files.`, EXIT.failed);
  if (!options.dryRun) {
    const also = {
      ...(options.reason && { changeReason: options.reason }),
      ...(options.backfill && { backfill: true }),
    };
    for (const { slug, settings } of toSend) await client.write('PUT', `${base}/${slug}`, { ...settings, ...also });
  }
  if (json)
    return print.json({ dryRun: options.dryRun === true, sent: tried, unchanged: files.length - toSend.length });
  for (const { path, isNew, flips, calls } of tried) {
    const what = flips === null ? `tried on ${calls} calls` : `${flips} of the newest ${calls} calls get another value`;
    print.line(`${isNew ? 'new      ' : 'changed  '} ${path}: ${what}`);
  }
  const verb = options.dryRun ? 'to send' : 'sent';
  print.line(`${folder}: ${toSend.length} ${verb}, ${files.length - toSend.length} unchanged.`);
}

async function readServer(session: Session, options: FileOptions) {
  const agent = await requireAgent(session, options.agent);
  const path = `/v1/agents/${agent.id}/custom-metrics`;
  const { data } = await session.client.read<{ data: CustomMetricResource[] }>(path);
  return { agentId: agent.id, metrics: data };
}

function settingsOf({
  name,
  description,
  better,
  badLabels,
  unit,
  form,
  appliesWhen,
  share,
  on,
}: CustomMetricResource): Settings {
  return { name, description, better, badLabels, unit, form, appliesWhen, share, on };
}

/** As the server fills in what a file leaves out. */
function withDefaults({ changeReason: _, ...settings }: Settings): Settings {
  return { description: null, badLabels: [], unit: null, appliesWhen: null, share: 1, ...settings };
}
