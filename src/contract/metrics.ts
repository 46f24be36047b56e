import { z } from 'zod';
import { METRICS } from '../domain/metrics/figures.ts';
import { METRIC_RANGES } from '../domain/metrics/range.ts';
import { OUTCOMES, PLACE_KINDS } from '../domain/vocabulary.ts';
import { call, callExample } from './call.ts';
import { count, timestamp, uuid } from './common.ts';

const value = z.number().nullable().describe('A share from 0 to 1, or milliseconds; null when n is 0.');
const n = count.describe('Calls behind the value.');
const range = z
  .enum([...METRIC_RANGES, 'custom'])
  .describe('The range that the figures are taken over; `custom` for `from` and `to`.');
const bounds = {
  from: timestamp.nullable().describe('Calls that started at or after it; null where the range has no bound.'),
  to: timestamp.nullable().describe('Calls that started before it; null where the range has no bound.'),
};

const interval = z
  .strictObject({ lower: z.number(), upper: z.number() })
  .meta({ id: 'Interval', description: 'A 95 % interval, in the unit of the value.' });

const metricName = z.enum(METRICS.map(({ metric }) => metric)).describe('The id of the metric.');
const described = {
  metric: metricName,
  label: z.string(),
  unit: z.enum(['share', 'ms']),
  better: z.enum(['higher', 'lower', 'neither']),
  over: z.string().describe('Which calls it is taken over, in words.'),
};

const step = z
  .strictObject({ kind: z.enum(PLACE_KINDS), id: z.string(), label: z.string() })
  .meta({ id: 'StepOfFlow', description: 'A step of the flow, a tool, or the start of the call.' });

export const metricsDocument = z
  .strictObject({
    object: z.literal('metrics'),
    range,
    ...bounds,
    previous: z
      .strictObject({ from: timestamp, to: timestamp, calls: count })
      .nullable()
      .describe('The period of the same length right before; null for all calls.'),
    version: z.int().nullable().describe('The version that was asked for; null for all.'),
    calls: count.describe('Analysed calls of the range.'),
    metrics: z.array(
      z
        .strictObject({
          ...described,
          value,
          n,
          notRead: count.describe('Calls that would count and could not be read.'),
          interval: interval.nullable(),
          previous: z.strictObject({ value, n }).nullable(),
          series: z
            .array(z.strictObject({ day: z.iso.date(), value, n }))
            .describe('By day of start (UTC), oldest first; days without calls are left out.'),
        })
        .meta({ id: 'Metric' }),
    ),
    countRows: z
      .array(z.strictObject({ issueId: uuid, title: z.string(), step, calls: count }))
      .describe(
        'Steps at which calls end badly with no cause established, most calls first, at most 50: issues that no list shows. Over all calls.',
      ),
  })
  .meta({
    id: 'Metrics',
    examples: [
      {
        object: 'metrics',
        range: '7d',
        from: '2026-02-24T00:00:00.000Z',
        to: '2026-03-03T00:00:00.000Z',
        previous: { from: '2026-02-17T00:00:00.000Z', to: '2026-02-24T00:00:00.000Z', calls: 188 },
        version: null,
        calls: 212,
        metrics: [
          {
            metric: 'got_it_done',
            label: 'Got it done',
            unit: 'share',
            better: 'higher',
            over: 'calls with contact',
            value: 0.62,
            n: 200,
            notRead: 0,
            interval: { lower: 0.551, upper: 0.684 },
            previous: { value: 0.58, n: 180 },
            series: [{ day: '2026-03-02', value: 0.65, n: 31 }],
          },
        ],
        countRows: [
          {
            issueId: '019d2a77-40a0-7d55-8c1e-5b8f2a9d3c02',
            title: 'Calls that end badly at Collect the address',
            step: { kind: 'node', id: 'collect_address', label: 'Collect the address' },
            calls: 17,
          },
        ],
      },
    ],
  });
export type MetricsDocument = z.infer<typeof metricsDocument>;

export const metricCalls = z
  .strictObject({
    object: z.literal('metric_calls'),
    ...described,
    range,
    ...bounds,
    groupBy: z
      .enum(['version', 'intent', 'useCase', 'day', 'outcome'])
      .nullable()
      .describe('Null where all calls are one group.'),
    part: z.enum(['all', 'yes', 'no', 'not_read']),
    groups: z.array(
      z
        .strictObject({
          key: z.string().describe('What `group` takes.'),
          label: z.string(),
          value,
          n,
          spread: z
            .array(z.strictObject({ fromMs: count, toMs: count, calls: count }))
            .nullable()
            .describe('How the values of its calls spread, shortest first; null for shares.'),
          calls: z.array(call).describe('In the order asked for.'),
          values: z
            .array(z.number().min(0).nullable())
            .describe(
              'For each of these calls in turn the value that the metric takes from it: milliseconds, how many tools failed (`tool_failure`), how many frictions there were (`friction`), else 1 where it is true of the call and 0 where not; null where it could not be read.',
            ),
        })
        .meta({ id: 'MetricCallGroup' }),
    ),
  })
  .meta({
    id: 'MetricCalls',
    examples: [
      {
        object: 'metric_calls',
        metric: 'abandoned',
        label: 'Abandoned',
        unit: 'share',
        better: 'lower',
        over: 'calls with contact',
        range: '30d',
        from: '2026-02-01T00:00:00.000Z',
        to: '2026-03-03T00:00:00.000Z',
        groupBy: 'version',
        part: 'yes',
        groups: [
          { key: '4', label: 'Version 4', value: 0.08, n: 201, spread: null, calls: [callExample], values: [1] },
        ],
      },
    ],
  });

export const flow = z
  .strictObject({
    object: z.literal('flow'),
    version: z.int(),
    steps: z
      .array(
        z
          .strictObject({
            id: z.string().describe("Of a node the platform's id, of a tool `tool:<id>`, of the start `agent:start`."),
            kind: z.enum(PLACE_KINDS),
            label: z.string(),
            calls: count.describe('Calls that reached it.'),
            drops: count.describe('Calls that ended badly at it.'),
            loops: count.describe('Calls that came back to it.'),
            issueId: uuid
              .nullable()
              .describe(
                'The issue of the calls that ended badly here, a count where no cause is known; null where none did.',
              ),
          })
          .meta({ id: 'FlowStep' }),
      )
      .describe('Most calls first. For agents without steps: the start of the call and the tools.'),
    transitions: z
      .array(z.strictObject({ from: z.string(), to: z.string(), calls: count }))
      .describe('Calls that went from one step to another at least once; ids of steps.'),
    endings: z
      .array(z.strictObject({ outcome: z.enum(OUTCOMES), step: z.string(), calls: count }))
      .describe('How many calls ended at which step, and how.'),
  })
  .meta({
    id: 'Flow',
    examples: [
      {
        object: 'flow',
        version: 4,
        steps: [
          { id: 'greeting', kind: 'node', label: 'Greeting', calls: 212, drops: 4, loops: 0, issueId: null },
          {
            id: 'collect_address',
            kind: 'node',
            label: 'Collect the address',
            calls: 180,
            drops: 17,
            loops: 23,
            issueId: '019d2a77-40a0-7d55-8c1e-5b8f2a9d3c02',
          },
        ],
        transitions: [{ from: 'greeting', to: 'collect_address', calls: 180 }],
        endings: [{ outcome: 'abandoned', step: 'collect_address', calls: 17 }],
      },
    ],
  });
