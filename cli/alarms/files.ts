import type { AlarmPreview, AlarmResource } from '../../src/contract/alarm.ts';
import { isJsonObject, type Json } from '../../src/domain/json.ts';
import { requireAgent } from '../choose-agent.ts';
import { ServerProblem } from '../problem.ts';
import type { Session } from '../session.ts';
import { type FileOptions, pullFiles, pushFiles, type Settings, type SettingsFiles } from '../settings-files.ts';

const ALARM_FILES: SettingsFiles = { noun: 'alarm', command: 'alarms', folder: 'alarms/earshot', withDefaults };

/** `earshot alarms pull`: a file for each alarm. */
export async function pullAlarms(session: Session, options: FileOptions & { force?: boolean }): Promise<void> {
  const { stored } = await readServer(session, options);
  await pullFiles(session, options, ALARM_FILES, stored);
}

/** `earshot alarms push`: says of each new or changed file how often it would have rung, then sends all. @throws Problem where one is refused */
export async function pushAlarms(session: Session, options: FileOptions & { dryRun?: boolean }): Promise<void> {
  const { base, stored } = await readServer(session, options);
  await pushFiles(session, options, ALARM_FILES, base, stored, async ({ settings }) => {
    const { name: _, on: __, ...rule } = settings;
    try {
      const { rang } = await session.client.write<AlarmPreview>('POST', `${base}/preview`, rule);
      const times = rang === 1 ? 'once' : `${rang} times`;
      return { told: { rang }, line: `would have rung ${times} in the last 30 days` };
    } catch (error) {
      if (!(error instanceof ServerProblem) || error.status !== 400) throw error;
      return { problems: [error.message] };
    }
  });
}

async function readServer(session: Session, options: FileOptions) {
  const agent = await requireAgent(session, options.agent);
  const base = `/v1/agents/${agent.id}/alarms`;
  const { data } = await session.client.read<{ data: AlarmResource[] }>(base);
  return { base, stored: data.map((alarm) => ({ slug: alarm.slug, settings: settingsOf(alarm) })) };
}

const settingsOf = (alarm: AlarmResource): Settings => ({
  name: alarm.name,
  measure: alarm.measure,
  filter: alarm.filter,
  window: alarm.window,
  leastCalls: alarm.leastCalls,
  against: alarm.against,
  is: alarm.is,
  warning: alarm.warning,
  critical: alarm.critical,
  noData: alarm.noData,
  breaches: alarm.breaches,
  remindAfterMinutes: alarm.remindAfterMinutes,
  on: alarm.on,
});

const DEFAULTS = {
  filter: null,
  leastCalls: 20,
  against: 'limit',
  warning: null,
  critical: null,
  noData: 'keep',
  breaches: 1,
  remindAfterMinutes: null,
  on: true,
};

function withDefaults({ measure, ...settings }: Settings): Settings {
  const given = measure as Json;
  const label = isJsonObject(given) && given.kind === 'custom_metric' ? { label: null } : {};
  return { ...DEFAULTS, ...settings, measure: isJsonObject(given) ? { ...label, ...given } : measure };
}
