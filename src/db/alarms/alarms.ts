import { sql } from 'kysely';
import type { AlarmRule } from '../../domain/alarms/alarm.ts';
import type { Standing } from '../../domain/alarms/state.ts';
import type { AlarmAct, AlarmState } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, epochMs, json, now } from '../expressions.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';

export type AlarmView = Row<'alarms'>;
export type AlarmEventView = Omit<Row<'alarm_events'>, 'alarmId' | 'workspaceId' | 'agentId'>;

export const ALARMS_AT_MOST = 50;
const EVENT_DAYS = 180;

const inScope = (em: EntityManager, scope: ReadScope) =>
  db(em)
    .selectFrom('alarms')
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId)
    .selectAll();

/** By their slugs. */
export const listAlarms = (em: EntityManager, scope: ReadScope): Promise<AlarmView[]> =>
  inScope(em, scope).orderBy('slug').execute();

export async function findAlarm(em: EntityManager, scope: ReadScope, slug: string): Promise<AlarmView | null> {
  return (await inScope(em, scope).where('slug', '=', slug).executeTakeFirst()) ?? null;
}

/** Those of an agent that are on, each held until the transaction ends: two looks at one come after each other. */
export function lockAlarms(em: EntityManager, agentId: string): Promise<AlarmView[]> {
  return db(em)
    .selectFrom('alarms')
    .where('agentId', '=', agentId)
    .where('isOn', '=', true)
    .selectAll()
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** One of them, to be changed. */
export async function lockAlarm(em: EntityManager, id: string): Promise<AlarmView | null> {
  const row = await db(em).selectFrom('alarms').where('id', '=', id).selectAll().forNoKeyUpdate().executeTakeFirst();
  return row ?? null;
}

export type AlarmSettings = Pick<AlarmView, 'slug' | 'name' | 'rule' | 'isOn'>;
interface Owner {
  workspaceId: string;
  agentId: string;
}

/** By its slug. @param isAnew its state begins anew, because another rule makes it. */
export async function writeAlarm(
  em: EntityManager,
  owner: Owner,
  { rule, ...settings }: AlarmSettings,
  createdBy: string,
  isAnew: boolean,
): Promise<void> {
  const anew = isAnew ? { standing: null, dueAt: now } : {};
  await db(em)
    .insertInto('alarms')
    .values({ id: newId(), ...owner, ...settings, rule: json<AlarmRule>(rule), createdBy })
    .onConflict((conflict) =>
      conflict
        .columns(['agentId', 'slug'])
        .doUpdateSet({ ...settings, rule: json<AlarmRule>(rule), updatedAt: now, ...anew }),
    )
    .execute();
}

export async function setStanding(
  em: EntityManager,
  id: string,
  standing: Standing,
  dueMs: number | null,
): Promise<void> {
  const dueAt = dueMs === null ? undefined : new Date(dueMs).toISOString();
  await db(em)
    .updateTable('alarms')
    .where('id', '=', id)
    .set({ standing: json<Standing>(standing), dueAt })
    .execute();
}

export async function setSilence(em: EntityManager, id: string, silencedUntil: string | null): Promise<void> {
  await db(em).updateTable('alarms').where('id', '=', id).set({ silencedUntil, dueAt: now, updatedAt: now }).execute();
}

/** With its history. */
export async function deleteAlarm(em: EntityManager, id: string): Promise<void> {
  await db(em).deleteFrom('alarm_events').where('alarmId', '=', id).execute();
  await db(em).deleteFrom('alarms').where('id', '=', id).execute();
}

/** Adds to the history of an alarm whose row is held. @returns the number of what was added. */
export async function addAlarmEvent(
  em: EntityManager,
  { id: alarmId, workspaceId, agentId }: Pick<AlarmView, 'id' | 'workspaceId' | 'agentId'>,
  event: {
    state: AlarmState;
    act: AlarmAct | null;
    message: string;
    value: number | null;
    calls: number;
    by: string | null;
  },
): Promise<number> {
  const seq = sql<number>`(select coalesce(max(seq), 0) + 1 from alarm_events where alarm_id = ${alarmId})`;
  const added = await db(em)
    .insertInto('alarm_events')
    .values({ alarmId, seq, workspaceId, agentId, ...event })
    .returning('seq')
    .executeTakeFirstOrThrow();
  return added.seq;
}

/** Newest first. */
export function listAlarmEvents(em: EntityManager, alarmId: string, limit: number): Promise<AlarmEventView[]> {
  return db(em)
    .selectFrom('alarm_events')
    .where('alarmId', '=', alarmId)
    .select(['seq', 'state', 'act', 'message', 'value', 'calls', 'by', 'createdAt'])
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
}

export async function dropOldAlarmEvents(em: EntityManager, agentId: string): Promise<void> {
  await db(em)
    .deleteFrom('alarm_events')
    .where('agentId', '=', agentId)
    .where('createdAt', '<', ago(EVENT_DAYS, 'days'))
    // The newest one stays: it says how the alarm stands, and numbers the next.
    .where('seq', '<', ({ selectFrom }) =>
      selectFrom('alarm_events as n')
        .whereRef('n.alarmId', '=', 'alarm_events.alarmId')
        .select(({ fn }) => fn.max<number>('n.seq').as('seq')),
    )
    .execute();
}

/** The database's time, and the agent's name and first call; null where the agent is gone. */
export async function readAgentClock(
  em: EntityManager,
  agentId: string,
): Promise<{ agentName: string; nowMs: number; firstCallMs: number | null } | null> {
  const found = await db(em)
    .selectFrom('agents')
    .where('id', '=', agentId)
    .select([
      'name as agentName',
      epochMs(now).as('nowMs'),
      sql<number | null>`(select floor(extract(epoch from c.sort_at) * 1000)::float8 from calls c
        where c.agent_id = agents.id and c.state = 'analysed' and c.sort_at > '0001-01-02'
        order by c.sort_at limit 1)`.as('firstCallMs'),
    ])
    .executeTakeFirst();
  return found ?? null;
}

/** Agents of a workspace with alarms that are on. */
export async function agentsWithAlarms(em: EntityManager, workspaceId: string): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('alarms')
    .where('workspaceId', '=', workspaceId)
    .where('isOn', '=', true)
    .select('agentId')
    .distinct()
    .execute();
  return rows.map(({ agentId }) => agentId);
}
