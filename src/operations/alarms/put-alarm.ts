import { alarm, alarmSettings } from '../../contract/alarm.ts';
import { lockAgent } from '../../db/agents/lock-agent.ts';
import { ALARMS_AT_MOST, listAlarms, writeAlarm } from '../../db/alarms/alarms.ts';
import { canonicalJson } from '../../db/convert.ts';
import { publishEvents } from '../../db/events/events.ts';
import type { AlarmRule } from '../../domain/alarms/alarm.ts';
import { endEpisode } from '../../services/alarms/look-at-alarms.ts';
import { type Measured, measuredBy } from '../../services/alarms/read-alarm.ts';
import { authorOf } from '../author-of.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { alarmSlug, readBack, wakeAlarms } from './alarm.ts';

export const putAlarm = defineOperation({
  id: 'putAlarm',
  surface: 'v1',
  method: 'PUT',
  path: '/v1/agents/{agentId}/alarms/{alarm}',
  scope: 'write',
  tag: 'Alarms',
  summary: 'Make or change an alarm',
  description:
    'By its slug; the same settings again change nothing. It looks at a window of calls ten minutes after it ended, and channels and webhooks that hear of `alarm.raised` are told once when it rings, again when it gets worse, and once when it is over. Another rule begins its state anew, and ends what rings.',
  whenToUse: 'Call it to have people told when a figure gets bad; preview_alarm first.',
  parents: [alarmSlug],
  body: alarmSettings,
  refuses: ['too_many_alarms'],
  response: alarm,
  async run(context, { body }) {
    const { em, agent } = context;
    const { slug } = context.parent(alarmSlug);
    const { name, on: isOn, ...rule } = body;
    await requireMeasured(context, rule);
    const owner = { workspaceId: agent.workspaceId, agentId: agent.id };
    // Two that make the same one come after each other.
    await lockAgent(em, agent.id);
    const alarms = await listAlarms(em, scopeOf(agent));
    const before = alarms.find((one) => one.slug === slug);
    if (before === undefined && alarms.length >= ALARMS_AT_MOST) {
      throw new Failure('too_many_alarms', `An agent has ${ALARMS_AT_MOST} alarms at most. Remove one first.`);
    }
    const isAnew = before === undefined || before.isOn !== isOn || canonicalJson(before.rule) !== canonicalJson(rule);
    if (before !== undefined && isAnew) {
      await endEpisode(em, before, isOn ? 'The alarm was changed.' : 'The alarm was turned off.');
    }
    await writeAlarm(em, owner, { slug, name, rule, isOn }, authorOf(context.caller()), isAnew);
    await wakeAlarms(context);
    await publishEvents(em, agent.id, [{ kind: 'alarm.changed', ref: before?.id ?? null }]);
    return readBack(context, slug);
  },
});

/** @throws Failure where there is no such figure, or the filter cannot be read. */
export async function requireMeasured({ em, agent }: Context, rule: AlarmRule): Promise<Measured> {
  const measured = await measuredBy(em, scopeOf(agent), rule);
  if ('problem' in measured) throw new Failure('invalid_body', measured.problem, { param: measured.param });
  return measured;
}
