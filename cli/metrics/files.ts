import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseDocument, stringify } from 'yaml';
import type { CustomMetricResource, CustomMetricTrial } from '../../src/contract/custom-metric.ts';
import { PROGRAM } from '../../src/layout.ts';
import { requireAgent } from '../choose-agent.ts';
import { EXIT, Problem } from '../problem.ts';
import type { Session } from '../session.ts';

interface FileOptions {
  agent?: string;
  dir?: string;
}

const DEFAULT_FOLDER = 'metrics/earshot';
const IS_METRIC = /\.ya?ml$/i;

/** What a file holds: the settings of a metric, whose slug is the file's name. */
type Settings = Record<string, unknown>;

interface MetricFile {
  path: string;
  slug: string;
  settings: Settings;
}

/** `earshot metrics pull`: a file for each metric. A file that differs is kept, unless it is to be taken from the server. */
export async function pullMetrics(session: Session, options: FileOptions & { force?: boolean }): Promise<void> {
  const { print, json } = session;
  const folder = options.dir ?? DEFAULT_FOLDER;
  await mkdir(folder, { recursive: true });
  const files = new Map((await readFiles(folder)).map((file) => [file.slug, file]));
  const { metrics } = await readServer(session, options);
  const pulled = { written: [] as string[], unchanged: [] as string[], kept: [] as string[] };
  for (const metric of metrics) {
    const file = files.get(metric.slug);
    const settings = settingsOf(metric);
    const path = file?.path ?? join(folder, `${metric.slug}.yaml`);
    if (file && isDeepStrictEqual(withDefaults(file.settings), settings)) pulled.unchanged.push(path);
    else if (file && !options.force) pulled.kept.push(path);
    else {
      await writeFile(path, stringify(settings));
      pulled.written.push(path);
    }
  }
  if (json) return print.json(pulled);
  for (const path of pulled.written) print.line(`written   ${path}`);
  for (const path of pulled.kept) {
    print.line(
      `kept      ${path}: it differs from the server. Send it (${PROGRAM} metrics push), or take the server's: --force`,
    );
  }
  const { written, unchanged, kept } = pulled;
  print.line(`${folder}: ${written.length} written, ${unchanged.length} unchanged, ${kept.length} kept.`);
}

interface PushOptions extends FileOptions {
  reason?: string;
  backfill?: boolean;
  dryRun?: boolean;
}

/** `earshot metrics push`: every file is tried on past calls before anything is sent. @throws Problem where one is refused */
export async function pushMetrics(session: Session, options: PushOptions): Promise<void> {
  const { client, print, json } = session;
  const folder = options.dir ?? DEFAULT_FOLDER;
  const files = await readFiles(folder);
  if (files.length === 0)
    throw new Problem(`There is no metric in ${folder}. Write those of the server: ${PROGRAM} metrics pull`);
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

async function readFiles(folder: string): Promise<MetricFile[]> {
  const about = await stat(folder).catch(() => null);
  if (!about?.isDirectory()) throw new Problem(`There is no folder ${folder}.`);
  const names = (await readdir(folder)).filter((name) => IS_METRIC.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const document = parseDocument(await readFile(path, 'utf8'));
      const [error] = document.errors;
      if (error) throw new Problem(`${path}: ${error.message}`);
      const settings: unknown = document.toJS();
      if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
        throw new Problem(`${path} holds no settings of a metric.`);
      }
      return { path, slug: basename(name).replace(IS_METRIC, ''), settings: { ...settings } };
    }),
  );
}
