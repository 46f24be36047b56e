import {
  type AlarmView,
  addAlarmEvent,
  dropOldAlarmEvents,
  lockAlarms,
  readAgentClock,
  setStanding,
} from '../../db/alarms/alarms.ts';
import type { EntityManager } from '../../db/database.ts';
import { publishEvents } from '../../db/events/events.ts';
import { announce } from '../../db/webhooks/announce.ts';
import { newestTick, nextLookMs } from '../../domain/alarms/alarm.ts';
import type { Reading } from '../../domain/alarms/read-window.ts';
import {
  type Episode,
  firstTick,
  look,
  recovery,
  type Standing,
  stateOf,
  type Telling,
} from '../../domain/alarms/state.ts';
import { readingInWords } from '../../domain/alarms/words.ts';
import type { AlarmState, Severity } from '../../domain/vocabulary.ts';
import type { AlarmsLook } from '../../temporal/alarms.ts';
import { measuredBy, readWindows, scopeOfAlarm, ticksOf } from './read-alarm.ts';

/** Looks at the alarms of an agent whose next window is there, tells what is to be told, and says when to look again. Done twice, it tells once. */
export function lookAtAlarms(em: EntityManager, agentId: string): Promise<AlarmsLook> {
  return em.transactional(async (tx) => {
    const agent = await readAgentClock(tx, agentId);
    const alarms = agent === null ? [] : await lockAlarms(tx, agentId);
    const nowMs = agent?.nowMs ?? 0;
    if (agent === null || alarms.length === 0) return { nowMs, nextMs: null, alarms: 0, ringing: 0 };
    const dues: number[] = [];
    let ringing = 0;
    for (const alarm of alarms) {
      const dueMs = nextDueMs(alarm, nowMs);
      const { standing } = dueMs > nowMs ? alarm : await lookAt(tx, alarm, agent);
      dues.push(dueMs > nowMs ? dueMs : soonest(alarm, standing, nowMs));
      if (standing?.episode) ringing += 1;
    }
    await dropOldAlarmEvents(tx, agentId);
    return { nowMs, nextMs: Math.min(...dues), alarms: alarms.length, ringing };
  });
}

const nextDueMs = ({ standing, dueAt }: AlarmView, nowMs: number) => (standing === null ? nowMs : Date.parse(dueAt));

/** The next window, the end of a silence, or a reminder. */
function soonest({ rule, silencedUntil }: AlarmView, standing: Standing | null, nowMs: number): number {
  const silenceEnds = standing?.episode && silencedUntil !== null ? Date.parse(silencedUntil) : 0;
  const told = standing?.episode?.acknowledged ? null : standing?.episode?.told;
  const reminder = told && rule.remindAfterMinutes !== null ? told.atMs + rule.remindAfterMinutes * 60_000 : 0;
  return Math.min(...[nextLookMs(rule, nowMs), silenceEnds, reminder].filter((atMs) => atMs > nowMs));
}

async function lookAt(
  em: EntityManager,
  alarm: AlarmView,
  agent: { agentName: string; nowMs: number; firstCallMs: number | null },
): Promise<{ standing: Standing }> {
  const { rule, standing: before } = alarm;
  const { nowMs } = agent;
  const newest = Math.max(newestTick(rule, nowMs), before?.newest.tick ?? 0);
  const first = firstTick(before, rule, newest);
  const scope = scopeOfAlarm(alarm);
  const measured = await measuredBy(em, scope, rule);
  const found =
    'problem' in measured
      ? ticksOf(first, newest).map((tick): Reading => unknown(tick, measured.problem))
      : await readWindows(em, scope, rule, measured, { first, newest, firstCallMs: agent.firstCallMs });
  const [oldest, ...later] = found;
  if (oldest === undefined) throw new Error('A look reads at least one window.');
  const silencedUntilMs = alarm.silencedUntil === null ? null : Date.parse(alarm.silencedUntil);
  const { standing, telling } = look(before, rule, [oldest, ...later], nowMs, silencedUntilMs);
  await setStanding(em, alarm.id, standing, soonest(alarm, standing, nowMs));
  const unit = 'problem' in measured ? 'number' : measured.unit;
  const message = readingInWords(rule, unit, standing.newest, telling?.level ?? standing.level);
  const isOther = before === null ? stateOf(standing) !== 'ok' : stateOf(before) !== stateOf(standing);
  if (isOther || telling !== null) {
    await tell(em, alarm, stateOf(standing), standing.newest, telling, message);
    await publishEvents(em, alarm.agentId, [{ kind: 'alarm.changed', ref: alarm.id }]);
  }
  return { standing };
}

const unknown = (tick: number, why: string): Reading => ({ tick, level: null, value: null, n: 0, usual: null, why });

const ACTS = { 'alarm.raised': 'raised', 'alarm.continues': 'continues', 'alarm.recovered': 'recovered' } as const;

/** So that a channel that hears of severe things alone hears of what is critical. */
const SEVERITIES: Readonly<Record<Telling['level'], Severity>> = { ok: 'low', warning: 'medium', critical: 'critical' };

/** Adds to the history, and tells people and programs of what there is to tell. */
async function tell(
  em: EntityManager,
  alarm: AlarmView,
  state: AlarmState,
  { value, n, usual }: Pick<Reading, 'value' | 'n' | 'usual'>,
  telling: Telling | null,
  message: string,
): Promise<void> {
  const { id, agentId, slug, name } = alarm;
  const act = telling && ACTS[telling.event];
  const seq = await addAlarmEvent(em, alarm, { state, act, message, value, calls: n, by: null });
  const agent = telling && (await readAgentClock(em, agentId));
  if (telling === null || agent === null) return;
  const { event, level, since } = telling;
  const data = {
    alarmId: id,
    agentId,
    agentName: agent.agentName,
    slug,
    name,
    since,
    level: event === 'alarm.recovered' ? 'ok' : level,
    severity: SEVERITIES[level],
    message,
    value,
    calls: n,
    usual,
  };
  const at = new Date(agent.nowMs).toISOString();
  await announce(em, agentId, [{ event, eventKey: `alarm:${id}/${seq}`, at, data }]);
}

/** Tells that an alarm rings no more because somebody changed or removed it, where its ring was told. */
export async function endEpisode(em: EntityManager, alarm: AlarmView, why: string): Promise<void> {
  const { standing } = alarm;
  const telling = standing?.episode ? recovery(standing.episode) : null;
  if (!standing || telling === null) return;
  await tell(em, alarm, 'ok', standing.newest, telling, why);
}

/** Notes who is at it: no reminder comes until it gets worse. @returns false where it does not ring. */
export async function acknowledge(em: EntityManager, alarm: AlarmView, by: string, nowMs: number): Promise<boolean> {
  const { standing } = alarm;
  const episode: Episode | null = standing?.episode ?? null;
  if (!standing || episode === null) return false;
  if (episode.acknowledged !== null) return true;
  const at = new Date(nowMs).toISOString();
  await setStanding(em, alarm.id, { ...standing, episode: { ...episode, acknowledged: { by, at } } }, null);
  const message = 'Somebody is at it: no reminder comes until it gets worse.';
  const { value, n } = standing.newest;
  await addAlarmEvent(em, alarm, { state: stateOf(standing), act: 'acknowledged', message, value, calls: n, by });
  return true;
}
