import { alarm, alarmSilence, removedAlarm } from '../../contract/alarm.ts';
import { addAlarmEvent, deleteAlarm, setSilence } from '../../db/alarms/alarms.ts';
import { publishEvents } from '../../db/events/events.ts';
import { stateOf } from '../../domain/alarms/state.ts';
import { acknowledge, endEpisode } from '../../services/alarms/look-at-alarms.ts';
import { authorOf } from '../author-of.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { alarmParent, held, readBack, wakeAlarms } from './alarm.ts';

export const acknowledgeAlarm = defineOperation({
  id: 'acknowledgeAlarm',
  surface: 'v1',
  method: 'POST',
  path: '/v1/agents/{agentId}/alarms/{alarm}/acknowledge',
  scope: 'write',
  tag: 'Alarms',
  summary: 'Say that somebody is at it',
  description:
    'Of an alarm that rings: no reminder comes until it gets worse or rings again. A second time changes nothing.',
  whenToUse: 'Call it when somebody takes care of what rings.',
  parents: [alarmParent],
  refuses: ['alarm_is_quiet'],
  response: alarm,
  async run(context) {
    const found = await held(context);
    const { em, services } = context;
    if (!(await acknowledge(em, found, authorOf(context.caller()), services.now().getTime()))) {
      throw new Failure('alarm_is_quiet', 'This alarm does not ring.');
    }
    await publishEvents(em, found.agentId, [{ kind: 'alarm.changed', ref: found.id }]);
    return readBack(context, found.slug);
  },
});

export const silenceAlarm = defineOperation({
  id: 'silenceAlarm',
  surface: 'v1',
  method: 'POST',
  path: '/v1/agents/{agentId}/alarms/{alarm}/silence',
  scope: 'write',
  tag: 'Alarms',
  summary: 'Silence an alarm until a time',
  description:
    'It goes on looking, and tells people only that what they were told of is over. What still rings when the silence ends is told then. Null ends it now.',
  whenToUse: 'Call it before work that makes an alarm ring for a known reason.',
  parents: [alarmParent],
  body: alarmSilence,
  response: alarm,
  async run(context, { body: { until } }) {
    const found = await held(context);
    const { em } = context;
    await setSilence(em, found.id, until);
    const { standing } = found;
    await addAlarmEvent(em, found, {
      state: standing ? stateOf(standing) : 'no_data',
      act: until === null ? 'unsilenced' : 'silenced',
      message:
        until === null ? 'The silence was ended.' : `Silenced until ${until.slice(0, 16).replace('T', ' ')} UTC.`,
      value: standing?.newest.value ?? null,
      calls: standing?.newest.n ?? 0,
      by: authorOf(context.caller()),
    });
    await wakeAlarms(context);
    await publishEvents(em, found.agentId, [{ kind: 'alarm.changed', ref: found.id }]);
    return readBack(context, found.slug);
  },
});

export const removeAlarm = defineOperation({
  id: 'removeAlarm',
  surface: 'app',
  method: 'DELETE',
  path: '/app/agents/{agentId}/alarms/{alarm}',
  scope: 'person',
  tag: 'Alarms',
  summary: 'Remove an alarm',
  description: 'With its history. What rings is told to be over. One that is only to rest is turned off instead.',
  parents: [alarmParent],
  response: removedAlarm,
  async run(context) {
    const found = await held(context);
    await endEpisode(context.em, found, 'The alarm was removed.');
    await deleteAlarm(context.em, found.id);
    await publishEvents(context.em, found.agentId, [{ kind: 'alarm.changed', ref: found.id }]);
    return { object: 'alarm' as const, slug: found.slug, removed: true as const };
  },
});
