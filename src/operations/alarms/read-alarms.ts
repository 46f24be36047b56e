import { z } from 'zod';
import { type AlarmResource, alarm, alarmDetail } from '../../contract/alarm.ts';
import { listOf } from '../../contract/common.ts';
import { listAlarmEvents, listAlarms as readAlarms } from '../../db/alarms/alarms.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { alarmParent, presentAlarm } from './alarm.ts';

export const listAlarms = defineOperation({
  id: 'listAlarms',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/alarms',
  scope: 'read',
  tag: 'Alarms',
  summary: 'List alarms',
  description:
    'By slug, each with its state and what its newest window says. An agent has 50 at most, which one page holds.',
  whenToUse: 'Call it to see which figures people want to be told of, and which alarms ring now.',
  query: { limit: limitParam(100, 50), cursor: cursorParam(z.tuple([z.string()])) },
  response: listOf(alarm),
  async run({ em, agent, page }, { query }) {
    const { limit, cursor } = query;
    const all = await readAlarms(em, scopeOf(agent));
    const rows = all.filter(({ slug }) => cursor === null || slug > cursor[0]).slice(0, limit + 1);
    const shown: AlarmResource[] = [];
    for (const row of rows) shown.push(await presentAlarm({ em }, row));
    return page(
      shown,
      limit,
      (row) => row,
      ({ slug }) => [slug],
    );
  },
});

const EVENTS_SHOWN = 100;

export const getAlarm = defineOperation({
  id: 'getAlarm',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/alarms/{alarm}',
  scope: 'read',
  tag: 'Alarms',
  summary: 'Read an alarm and its history',
  description:
    'Its rule, how it stands, and what became of it: changes of state, what people were told, and what they did.',
  whenToUse: 'Call it to see why an alarm rings, or how often it did.',
  parents: [alarmParent],
  response: alarmDetail,
  async run({ em, parent }) {
    const found = parent(alarmParent);
    const events = await listAlarmEvents(em, found.id, EVENTS_SHOWN);
    return {
      object: 'alarm_detail' as const,
      alarm: await presentAlarm({ em }, found),
      events: events.map(({ createdAt: at, ...event }) => ({ ...event, at })),
    };
  },
});
