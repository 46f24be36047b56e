import { type AlarmPreview, alarmPreview, alarmRule } from '../../contract/alarm.ts';
import { readAgentClock } from '../../db/alarms/alarms.ts';
import { newestTick, stepMs } from '../../domain/alarms/alarm.ts';
import { ringsIn } from '../../domain/alarms/state.ts';
import { readingInWords } from '../../domain/alarms/words.ts';
import { readWindows } from '../../services/alarms/read-alarm.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { requireMeasured } from './put-alarm.ts';

const DAYS = 30;
const RINGS_SHOWN = 100;
const POINTS_SHOWN = 240;

export const previewAlarm = defineOperation({
  id: 'previewAlarm',
  surface: 'v1',
  method: 'POST',
  path: '/v1/agents/{agentId}/alarms/preview',
  scope: 'read',
  tag: 'Alarms',
  summary: 'See how often an alarm would have rung',
  description: 'Over the last 30 days, by the calls as they are known now. Stores nothing.',
  whenToUse: 'Call it before put_alarm, until it would have rung when it should have.',
  transaction: false,
  body: alarmRule,
  response: alarmPreview,
  async run(context, { body: rule }): Promise<AlarmPreview> {
    const { em, agent } = context;
    const measured = await requireMeasured(context, rule);
    const now = await readAgentClock(em, agent.id);
    if (now === null) throw new Failure('agent_not_found', 'This agent was deleted just now.');
    const step = stepMs(rule);
    const newest = newestTick(rule, now.nowMs);
    const first = newest - Math.round((DAYS * 86_400_000) / step) + 1;
    const range = { first, newest, firstCallMs: now.firstCallMs };
    const readings = await readWindows(em, scopeOf(agent), rule, measured, range);
    const at = (tick: number) => new Date(tick * step).toISOString();
    const rings = ringsIn(rule, readings);
    const every = Math.ceil(readings.length / POINTS_SHOWN);
    return {
      object: 'alarm_preview',
      from: at(first - 1),
      to: at(newest),
      unit: measured.unit,
      windows: readings.length,
      noData: readings.filter(({ level }) => level === null).length,
      rang: rings.length,
      rings: rings
        .slice(-RINGS_SHOWN)
        .reverse()
        .map(({ from, to, level }) => ({
          from: at(from.tick),
          to: to && at(to.tick),
          level,
          value: from.value,
          usual: from.usual,
          calls: from.n,
          message: readingInWords(rule, measured.unit, from, level),
        })),
      series: readings
        .filter((_, nth) => (readings.length - 1 - nth) % every === 0)
        .map(({ tick, value, usual, n }) => ({ at: at(tick), value, usual, calls: n })),
    };
  },
});
