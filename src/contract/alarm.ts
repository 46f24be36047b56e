import { z } from 'zod';
import type { AlarmMeasure, AlarmRule } from '../domain/alarms/alarm.ts';
import { ALARM_UNITS } from '../domain/alarms/words.ts';
import {
  ALARM_ACTS,
  ALARM_COMPARISONS,
  ALARM_LEVELS,
  ALARM_MEASURES,
  ALARM_NO_DATA,
  ALARM_SIDES,
  ALARM_STATES,
  ALARM_WINDOWS,
  FILTER_AT_MOST,
} from '../domain/vocabulary.ts';
import { count, timestamp } from './common.ts';
import { METRIC_SLUG } from './custom-metric.ts';
import { plainText } from './text.ts';

const REMIND_AT_MOST = 10_080;

const measure = z
  .union([
    z.strictObject({
      kind: z
        .enum(['calls', 'cost', 'cost_per_call'])
        .describe('How many calls there are, what they cost together, or each, in USD.'),
    }),
    z.strictObject({
      kind: z.literal('metric'),
      metric: plainText(1, 60).describe('A figure of the board, such as `abandoned` or `response_latency_p90_ms`.'),
    }),
    z.strictObject({
      kind: z.literal('signal'),
      code: plainText(1, 100).describe('The share of calls with this code, of those on which it could be told.'),
    }),
    z.strictObject({
      kind: z.literal('custom_metric'),
      slug: z.string().regex(METRIC_SLUG),
      label: plainText(1, 200)
        .nullable()
        .default(null)
        .describe('Of one that answers with labels: whose share is meant.'),
    }),
  ])
  .transform((given): AlarmMeasure => given)
  .meta({ id: 'AlarmMeasure', description: 'What an alarm is about.' });

const limit = z.number().nullable().default(null);

const rule = {
  measure,
  filter: z
    .string()
    .max(FILTER_AT_MOST)
    .nullable()
    .default(null)
    .describe('A line as the list of calls takes it, such as `version:5 tier:gold -intent:wrong_number`.'),
  window: z.enum(ALARM_WINDOWS).describe('How long each window is; windows overlap.'),
  leastCalls: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(20)
    .describe('A window with fewer calls says nothing. Of too few calls (`calls`, `below`) it is not asked.'),
  against: z
    .enum(ALARM_COMPARISONS)
    .default('limit')
    .describe('`limit`: a number. `usual`: the same hours of the four weeks before; a change has to be real too.'),
  is: z.enum(ALARM_SIDES),
  warning: limit.describe(
    'In the unit of the measure; shares from 0 to 1, times in milliseconds. Against `usual`, by what share of it more or less.',
  ),
  critical: limit,
  noData: z.enum(ALARM_NO_DATA).default('keep').describe('What a window that says nothing counts as; `keep`: nothing.'),
  breaches: z.int().min(1).max(10).default(1).describe('Windows in a row that it takes to ring, and to recover.'),
  remindAfterMinutes: z
    .int()
    .min(15)
    .max(REMIND_AT_MOST)
    .nullable()
    .default(null)
    .describe('While it rings and nobody acknowledged it, it is told again after so long. Null: once.'),
};

type Limits = Pick<AlarmRule, 'against' | 'is' | 'warning' | 'critical' | 'window'>;

/** What is wrong with the limits taken together. */
function problemOf({ against, is, warning, critical, window }: Limits): { path: keyof Limits; message: string } | null {
  if (warning === null && critical === null) return { path: 'critical', message: 'or warning must be a number' };
  if (against === 'usual') {
    if (window === '7d') return { path: 'window', message: 'is at most 1d against what is usual' };
    for (const path of ['warning', 'critical'] as const) {
      const by = path === 'warning' ? warning : critical;
      if (by !== null && (by <= 0 || (is === 'below' && by >= 1) || by > 100)) {
        const most = is === 'below' ? 'below 1' : '100 at most';
        return { path, message: `must be above 0 and ${most}: a share of what is usual` };
      }
    }
  }
  if (warning === null || critical === null) return null;
  const isWorse = against === 'usual' || is === 'above' ? critical > warning : critical < warning;
  return isWorse ? null : { path: 'critical', message: 'must be worse than warning' };
}

function refuseLimits(given: Limits, context: z.RefinementCtx): void {
  const problem = problemOf(given);
  if (problem) context.addIssue({ code: 'custom', path: [problem.path], message: problem.message, input: given });
}

const settingsExample = {
  name: 'Callers hang up',
  measure: { kind: 'metric' as const, metric: 'abandoned' },
  filter: 'tier:gold',
  window: '1h' as const,
  leastCalls: 20,
  is: 'above' as const,
  warning: 0.1,
  critical: 0.2,
  on: true,
};

export const alarmSettings = z
  .strictObject({ name: plainText(1, 200), ...rule, on: z.boolean().default(true) })
  .superRefine(refuseLimits)
  .meta({ examples: [settingsExample] });

const { name: _name, on: _on, ...ruleExample } = settingsExample;
export const alarmRule = z
  .strictObject(rule)
  .superRefine(refuseLimits)
  .meta({ examples: [ruleExample] });

const shownMeasure = z.looseObject({ kind: z.enum(ALARM_MEASURES) }).describe('What it is about, as it was given.');

const value = z.number().nullable().describe('In the unit of the alarm; null where there is none.');
const calls = count.describe('Calls behind the value.');
const message = z.string().describe('The same in words.');

export const alarm = z
  .strictObject({
    object: z.literal('alarm'),
    id: z.string().describe('The slug, by which paths name it.'),
    slug: z.string(),
    name: z.string(),
    measure: shownMeasure,
    unit: z.enum(ALARM_UNITS).nullable().describe('Null where its measure is no more.'),
    filter: z.string().nullable(),
    window: z.enum(ALARM_WINDOWS),
    leastCalls: count,
    against: z.enum(ALARM_COMPARISONS),
    is: z.enum(ALARM_SIDES),
    warning: z.number().nullable(),
    critical: z.number().nullable(),
    noData: z.enum(ALARM_NO_DATA),
    breaches: count,
    remindAfterMinutes: count.nullable(),
    on: z.boolean(),
    state: z
      .enum(ALARM_STATES)
      .nullable()
      .describe('`no_data`: its newest window says nothing. Null until it was looked at, and while it is off.'),
    level: z.enum(ALARM_LEVELS).nullable().describe('At which it rings; stays where there is no data.'),
    value,
    usual: z.number().nullable().describe('Of the same hours in the weeks before; null where it is not asked for.'),
    calls,
    message: z.string().nullable().describe('The same in words.'),
    until: timestamp.nullable().describe('When its newest window ended.'),
    ringsSince: timestamp.nullable(),
    acknowledged: z.strictObject({ by: z.string(), at: timestamp }).nullable(),
    silencedUntil: timestamp.nullable(),
    createdBy: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Alarm',
    examples: [
      {
        object: 'alarm',
        id: 'callers_hang_up',
        slug: 'callers_hang_up',
        ...settingsExample,
        unit: 'share',
        against: 'limit',
        noData: 'keep',
        breaches: 1,
        remindAfterMinutes: 60,
        state: 'critical',
        level: 'critical',
        value: 0.24,
        usual: null,
        calls: 41,
        message:
          'Abandoned: 24 % over 41 calls in the hour up to 2026-03-02 09:00 UTC. It is critical when above 20 %.',
        until: '2026-03-02T09:00:00.000Z',
        ringsSince: '2026-03-02T08:45:00.000Z',
        acknowledged: null,
        silencedUntil: null,
        createdBy: 'key:019d2a77-40a0-7d55-8c1e-5b8f2a9d3c02',
        createdAt: '2026-03-01T09:15:04.120Z',
        updatedAt: '2026-03-01T09:15:04.120Z',
      },
    ],
  });
export type AlarmResource = z.infer<typeof alarm>;

export const alarmDetail = z
  .strictObject({
    object: z.literal('alarm_detail'),
    alarm,
    events: z
      .array(
        z.strictObject({
          seq: count,
          at: timestamp,
          state: z.enum(ALARM_STATES),
          act: z
            .enum(ALARM_ACTS)
            .nullable()
            .describe('What people were told, or did; null for a change of state alone.'),
          value,
          calls,
          message,
          by: z.string().nullable().describe('Who did it; null for what the alarm did by itself.'),
        }),
      )
      .describe('Its newest 100, newest first; those of half a year are kept.'),
  })
  .meta({ id: 'AlarmDetail' });
export type AlarmDetail = z.infer<typeof alarmDetail>;

export const alarmPreview = z
  .strictObject({
    object: z.literal('alarm_preview'),
    from: timestamp,
    to: timestamp,
    unit: z.enum(ALARM_UNITS),
    windows: count.describe('Windows that ended in this time.'),
    noData: count.describe('Those among them that say nothing.'),
    rang: count.describe('How often it would have rung.'),
    rings: z
      .array(
        z.strictObject({
          from: timestamp,
          to: timestamp.nullable().describe('When it would have recovered; null while it rings.'),
          level: z.enum(ALARM_LEVELS),
          value,
          usual: z.number().nullable(),
          calls,
          message,
        }),
      )
      .describe('The newest 100, newest first.'),
    series: z
      .array(z.strictObject({ at: timestamp, value: z.number().nullable(), usual: z.number().nullable(), calls }))
      .describe('Its figure at up to 240 evenly spaced windows, oldest first.'),
  })
  .meta({ id: 'AlarmPreview' });
export type AlarmPreview = z.infer<typeof alarmPreview>;

export const alarmSilence = z
  .strictObject({
    until: timestamp.nullable().describe('Until then people are told only that it recovered. Null ends the silence.'),
  })
  .meta({ examples: [{ until: '2026-03-02T12:00:00.000Z' }] });

export const removedAlarm = z
  .strictObject({ object: z.literal('alarm'), slug: z.string(), removed: z.literal(true) })
  .meta({ id: 'RemovedAlarm' });
