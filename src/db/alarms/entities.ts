import { defineEntity, p } from '@mikro-orm/core';
import type { AlarmRule } from '../../domain/alarms/alarm.ts';
import type { Standing } from '../../domain/alarms/state.ts';
import { ALARM_ACTS, ALARM_STATES } from '../../domain/vocabulary.ts';
import { createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced } from '../row-security.ts';

/** What people want to be told of an agent's figures, by its slug. */
export const Alarm = defineEntity({
  name: 'Alarm',
  tableName: 'alarms',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    slug: p.text(),
    name: p.text(),
    rule: p.json<AlarmRule>(),
    isOn: p.boolean().default(true),
    /** Until then people are told nothing of it but that it recovered. */
    silencedUntil: time().nullable(),
    /** Null until it was looked at for the first time, and once its rule was changed. */
    standing: p.json<Standing>().nullable(),
    /** When its next window can be looked at, by the last look. */
    dueAt: time().defaultRaw('now()'),
    /** A person's id, or `key:<id>`. */
    createdBy: p.text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'alarms_slug', properties: ['agentId', 'slug'] }],
});

/** What became of an alarm: each change of its state, what people were told, and what they did. */
export const AlarmEvent = defineEntity({
  name: 'AlarmEvent',
  tableName: 'alarm_events',
  ...fenced,
  primaryKeys: ['alarmId', 'seq'],
  properties: {
    alarmId: p.uuid().primary(),
    /** Counts up without gaps within an alarm. */
    seq: p.integer().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    state: p.enum(ALARM_STATES),
    /** What was told or done; null for a change of state alone. */
    act: p.enum(ALARM_ACTS).nullable(),
    message: p.text(),
    value: p.double().nullable(),
    calls: p.integer(),
    /** A person's id, or `key:<id>`; null for what the alarm did by itself. */
    by: p.text().nullable(),
    createdAt: createdAt(),
  },
});
