import type { CustomMetricResource, CustomMetricTrial } from '../../src/contract/custom-metric.ts';
import { requireAgent } from '../choose-agent.ts';
import type { Session } from '../session.ts';
import {
  type FileOptions,
  type NamedSettings,
  pullFiles,
  pushFiles,
  type Settings,
  type SettingsFiles,
} from '../settings-files.ts';

const METRIC_FILES: SettingsFiles = { noun: 'metric', command: 'metrics', folder: 'metrics/earshot', withDefaults };

/** `earshot metrics pull`: a file for each metric. A file that differs is kept, unless it is to be taken from the server. */
export async function pullMetrics(session: Session, options: FileOptions & { force?: boolean }): Promise<void> {
  const { stored } = await readServer(session, options);
  await pullFiles(session, options, METRIC_FILES, stored);
}

interface PushOptions extends FileOptions {
  reason?: string;
  backfill?: boolean;
  dryRun?: boolean;
}

/** `earshot metrics push`: every file is tried on past calls before anything is sent. @throws Problem where one is refused */
export async function pushMetrics(session: Session, options: PushOptions): Promise<void> {
  const { base, stored } = await readServer(session, options);
  const also = {
    ...(options.reason && { changeReason: options.reason }),
    ...(options.backfill && { backfill: true }),
  };
  const tryOne = async ({ slug, settings }: NamedSettings, isNew: boolean) => {
    const { form, appliesWhen } = settings;
    const body = { form, appliesWhen, ...(!isNew && { compareWith: slug }) };
    const trial = await session.client.write<CustomMetricTrial>('POST', `${base}/try`, body);
    if (trial.problems.length > 0) {
      return { problems: trial.problems.map(({ param, message }) => `${param}: ${message}`) };
    }
    const flips = trial.compared?.flips.length ?? null;
    const calls = trial.compared?.calls ?? trial.calls.length;
    const line = flips === null ? `tried on ${calls} calls` : `${flips} of the newest ${calls} calls get another value`;
    return { told: { flips, calls }, line };
  };
  await pushFiles(session, options, METRIC_FILES, base, stored, tryOne, also);
}

async function readServer(session: Session, options: FileOptions) {
  const agent = await requireAgent(session, options.agent);
  const base = `/v1/agents/${agent.id}/custom-metrics`;
  const { data } = await session.client.read<{ data: CustomMetricResource[] }>(base);
  return { base, stored: data.map((metric) => ({ slug: metric.slug, settings: settingsOf(metric) })) };
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
