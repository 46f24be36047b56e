import type { AlarmDetail, AlarmResource } from '../../src/contract/alarm.ts';
import { chooseAgent, requireAgent } from '../choose-agent.ts';
import { Problem } from '../problem.ts';
import type { Session } from '../session.ts';

interface Chosen {
  agent?: string;
}

export async function showAlarms(session: Session, options: Chosen): Promise<void> {
  const { client, print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const { data } = await client.read<{ data: AlarmResource[] }>(`/v1/agents/${agent.id}/alarms`);
  if (json) return print.json(data);
  if (data.length === 0) return print.line('No alarms.');
  print.table(
    ['Alarm', 'Name', 'State', 'Newest window'],
    data.map((alarm) => [alarm.slug, alarm.name, stateOf(alarm), alarm.message ?? '']),
  );
}

export async function showAlarm(session: Session, slug: string, options: Chosen): Promise<void> {
  const { client, print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const detail = await client.read<AlarmDetail>(pathOf(agent.id, slug));
  if (json) return print.json(detail);
  const { alarm, events } = detail;
  print.line(`${alarm.name} (${alarm.slug}): ${stateOf(alarm)}`);
  if (alarm.message !== null) print.line(alarm.message);
  print.table(
    ['At', 'State', 'Told or done', ''],
    events.map(({ at, state, act, message }) => [at, state, act ?? '', message]),
  );
}

export async function acknowledgeAlarm(session: Session, slug: string, options: Chosen): Promise<void> {
  const agent = await requireAgent(session, options.agent);
  const alarm = await session.client.write<AlarmResource>('POST', `${pathOf(agent.id, slug)}/acknowledge`, undefined);
  if (session.json) return session.print.json(alarm);
  session.print.line(`${alarm.name}: no reminder comes until it gets worse.`);
}

const HOUR_MS = 3_600_000;

/** @param options.hours from now on; 0 ends the silence. */
export async function silenceAlarm(session: Session, slug: string, options: Chosen & { hours: string }): Promise<void> {
  const hours = Number(options.hours);
  if (!(hours >= 0)) throw new Problem('--hours must be a number of hours; 0 ends the silence.');
  const until = hours === 0 ? null : new Date(Date.now() + hours * HOUR_MS).toISOString();
  const agent = await requireAgent(session, options.agent);
  const alarm = await session.client.write<AlarmResource>('POST', `${pathOf(agent.id, slug)}/silence`, { until });
  if (session.json) return session.print.json(alarm);
  session.print.line(`${alarm.name}: ${until === null ? 'tells again.' : `silenced until ${until}.`}`);
}

const pathOf = (agentId: string, slug: string) => `/v1/agents/${agentId}/alarms/${encodeURIComponent(slug)}`;

function stateOf({ on, state, level, silencedUntil, acknowledged }: AlarmResource): string {
  if (!on) return 'off';
  const rings =
    state === 'no_data' && level !== null && level !== 'ok' ? `no_data, ${level}` : (state ?? 'not looked at yet');
  const isSilenced = silencedUntil !== null && Date.parse(silencedUntil) > Date.now();
  return [rings, ...(isSilenced ? ['silenced'] : []), ...(acknowledged ? ['acknowledged'] : [])].join(', ');
}
