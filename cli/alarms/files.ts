import { isDeepStrictEqual } from 'node:util';
import type { AlarmPreview, AlarmResource } from '../../src/contract/alarm.ts';
import { isJsonObject, type Json } from '../../src/domain/json.ts';
import { requireAgent } from '../choose-agent.ts';
import { EXIT, Problem, ServerProblem } from '../problem.ts';
import type { Session } from '../session.ts';
import { type FileOptions, pullFiles, readFiles, type Settings, type SettingsFiles } from '../settings-files.ts';

const ALARM_FILES: SettingsFiles = { noun: 'alarm', command: 'alarms', folder: 'alarms/earshot', withDefaults };

/** `earshot alarms pull`: a file for each alarm. */
export async function pullAlarms(session: Session, options: FileOptions & { force?: boolean }): Promise<void> {
  const { alarms } = await readServer(session, options);
  const stored = alarms.map((alarm) => ({ slug: alarm.slug, settings: settingsOf(alarm) }));
  await pullFiles(session, options, ALARM_FILES, stored);
}

/** `earshot alarms push`: says of each new or changed file how often it would have rung, then sends all. @throws Problem where one is refused */
export async function pushAlarms(session: Session, options: FileOptions & { dryRun?: boolean }): Promise<void> {
  const { client, print, json } = session;
  const { folder, files } = await readFiles(ALARM_FILES, options);
  const { agentId, alarms } = await readServer(session, options);
  const base = `/v1/agents/${agentId}/alarms`;
  const standing = new Map(alarms.map((alarm) => [alarm.slug, settingsOf(alarm)]));
  const toSend = files.filter(({ slug, settings }) => !isDeepStrictEqual(withDefaults(settings), standing.get(slug)));
  const sent: { path: string; slug: string; isNew: boolean; rang: number }[] = [];
  const problems: string[] = [];
  for (const { path, slug, settings } of toSend) {
    const { name: _, on: __, ...rule } = settings;
    try {
      const { rang } = await client.write<AlarmPreview>('POST', `${base}/preview`, rule);
      sent.push({ path, slug, isNew: !standing.has(slug), rang });
    } catch (error) {
      if (!(error instanceof ServerProblem) || error.status !== 400) throw error;
      problems.push(`${path}: ${error.message}`);
    }
  }
  for (const problem of problems) print.note(problem);
  if (problems.length > 0)
    throw new Problem(`Nothing was sent: ${problems.length} problems in the files.`, EXIT.failed);
  if (!options.dryRun) {
    for (const { slug, settings } of toSend) await client.write('PUT', `${base}/${slug}`, settings);
  }
  if (json) return print.json({ dryRun: options.dryRun === true, sent, unchanged: files.length - toSend.length });
  for (const { path, isNew, rang } of sent) {
    const times = rang === 1 ? 'once' : `${rang} times`;
    print.line(`${isNew ? 'new      ' : 'changed  '} ${path}: would have rung ${times} in the last 30 days`);
  }
  const verb = options.dryRun ? 'to send' : 'sent';
  print.line(`${folder}: ${toSend.length} ${verb}, ${files.length - toSend.length} unchanged.`);
}

async function readServer(session: Session, options: FileOptions) {
  const agent = await requireAgent(session, options.agent);
  const { data } = await session.client.read<{ data: AlarmResource[] }>(`/v1/agents/${agent.id}/alarms`);
  return { agentId: agent.id, alarms: data };
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
