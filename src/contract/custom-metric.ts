import { z } from 'zod';
import type { MetricForm } from '../domain/custom-metrics/metric.ts';
import {
  BACKFILL_STATES,
  CUSTOM_METRIC_KINDS,
  METRIC_ANSWERS,
  METRIC_DIRECTIONS,
  METRIC_STATES,
  SIDES,
} from '../domain/vocabulary.ts';
import { call, callExample } from './call.ts';
import { count, share, timestamp } from './common.ts';
import { plainText, prose } from './text.ts';

export const METRIC_SLUG = /^[a-z][a-z0-9_]{0,59}$/;

const name = plainText(1, 200);
const expression = prose(1, 2_000);
const event = z
  .union([
    z.strictObject({ on: z.enum(['tool_called', 'tool_failed']), tool: name }),
    z.strictObject({ on: z.literal('said'), by: z.enum(SIDES), text: plainText(1, 500) }),
    z.strictObject({ on: z.literal('signal'), code: name.describe('A code of the catalogue.') }),
  ])
  .meta({ id: 'PatternEvent', description: 'Something that happens at a turn of a call.' });

const form = z
  .union([
    z.strictObject({
      kind: z.literal('formula'),
      expression: expression.describe('In CEL, over the facts of a call; yes or no, a number, or a text.'),
    }),
    z.strictObject({
      kind: z.literal('pattern'),
      after: event,
      expect: event,
      within: z.union([
        z.strictObject({ turns: z.int().min(1).max(1_000).describe('Spoken turns, of either side.') }),
        z.strictObject({ seconds: z.number().positive().max(86_400) }),
      ]),
    }),
  ])
  .transform((given): MetricForm => given)
  .meta({ id: 'CustomMetricForm', description: 'How a metric comes by its value.' });

const shownForm = z
  .looseObject({ kind: z.enum(CUSTOM_METRIC_KINDS) })
  .describe('How it comes by its value, as it was given.');
const appliesWhen = expression
  .nullable()
  .describe('In CEL, yes or no: the calls that it is about; the others are `not_applicable`. Null: all calls.');

const settings = {
  name: name.describe('What people call it.'),
  description: prose(1, 2_000).nullable().optional(),
  better: z.enum(METRIC_DIRECTIONS).describe('Which values are good. Yes is higher than no.'),
  badLabels: z
    .array(plainText(1, 200))
    .max(50)
    .optional()
    .describe('Of a metric that answers with labels: those that are bad.'),
  unit: plainText(1, 20).nullable().optional(),
};

export const customMetricSettings = z
  .strictObject({
    ...settings,
    form,
    appliesWhen: appliesWhen.optional(),
    share: share
      .refine((part) => part > 0, 'must be above 0')
      .optional()
      .describe('Of all calls, the share that gets a value, drawn by their ids; 1 when left out.'),
    on: z.boolean().describe('Whether calls that are analysed from now on get a value.'),
    backfill: z
      .boolean()
      .optional()
      .describe('Whether the calls that are there already get a value too; costs nothing, and goes on by itself.'),
    changeReason: prose(1, 1_000)
      .optional()
      .describe('Why it comes by its value in another way now: asked for with a change of `form` or `appliesWhen`.'),
  })
  .meta({
    examples: [
      {
        name: 'Cost a minute',
        better: 'lower',
        unit: 'USD',
        form: { kind: 'formula', expression: 'cost_usd / (duration_s / 60)' },
        appliesWhen: 'duration_s > 10',
        on: true,
      },
    ],
  });

const interval = z.strictObject({ lower: z.number(), upper: z.number() });
const figure = {
  value: z
    .number()
    .nullable()
    .describe('The share of yes, or the mean; null without values, and for labels and texts.'),
  interval: interval.nullable().describe('95 %; null where there are too few values.'),
  n: count.describe('Calls with a value.'),
  notApplicable: count.describe('Calls that it is not about.'),
  unknown: count.describe('Calls of which it could not be told.'),
  labels: z
    .array(z.strictObject({ label: z.string(), calls: count }))
    .describe('Calls by label, most first; empty where it answers otherwise.'),
};
const metricFigure = z
  .strictObject(figure)
  .meta({ id: 'CustomMetricFigure', description: 'Over calls that have a value of the version in force.' });

const shown = {
  id: z.string().describe('The slug, by which paths name it.'),
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  answer: z.enum(METRIC_ANSWERS).describe('What its value is.'),
  better: z.enum(METRIC_DIRECTIONS),
  badLabels: z.array(z.string()),
  unit: z.string().nullable(),
  form: shownForm,
  appliesWhen: z.string().nullable(),
  share,
  on: z.boolean(),
  version: z.int().min(1).describe('Grows with each change of `form` or `appliesWhen`; figures never mix versions.'),
  backfill: z
    .strictObject({ state: z.enum(BACKFILL_STATES), done: count, total: count })
    .nullable()
    .describe('Of the calls that were there before this version; null where nobody asked for it.'),
  createdBy: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
};
const shownExample = {
  id: 'cost_a_minute',
  slug: 'cost_a_minute',
  name: 'Cost a minute',
  description: null,
  answer: 'number' as const,
  better: 'lower' as const,
  badLabels: [],
  unit: 'USD',
  form: { kind: 'formula' as const, expression: 'cost_usd / (duration_s / 60)' },
  appliesWhen: 'duration_s > 10',
  share: 1,
  on: true,
  version: 1,
  backfill: { state: 'complete' as const, done: 212, total: 212 },
  createdBy: 'key:019d2a77-40a0-7d55-8c1e-5b8f2a9d3c02',
  createdAt: '2026-03-02T09:15:04.120Z',
  updatedAt: '2026-03-02T09:15:04.120Z',
};
const figureExample = {
  value: 0.11,
  interval: { lower: 0.1, upper: 0.12 },
  n: 200,
  notApplicable: 8,
  unknown: 4,
  labels: [],
};

export const customMetric = z
  .strictObject({ object: z.literal('custom_metric'), ...shown, figure: metricFigure })
  .meta({ id: 'CustomMetric', examples: [{ object: 'custom_metric', ...shownExample, figure: figureExample }] });
export type CustomMetricResource = z.infer<typeof customMetric>;

const range = {
  from: timestamp.nullable().describe('Calls that started at or after it; null where the range has no bound.'),
  to: timestamp.nullable().describe('Calls that started before it; null where the range has no bound.'),
};

export const customMetricDetail = z
  .strictObject({
    object: z.literal('custom_metric_detail'),
    metric: customMetric,
    ...range,
    groups: z
      .array(
        z.strictObject({
          key: z
            .string()
            .describe('Of the group: a version, a slug, an outcome, or a day; `unknown` where a call has none.'),
          ...figure,
          sinceBefore: z
            .strictObject({ difference: z.number(), ...interval.shape })
            .nullable()
            .describe(
              'By version alone: how much it differs from the version before, with a 95 % interval; null where there are too few values.',
            ),
        }),
      )
      .describe('Empty unless `groupBy` asks for them.'),
    versions: z
      .array(
        z.strictObject({
          version: z.int().min(1),
          form: shownForm,
          appliesWhen: z.string().nullable(),
          changeReason: z.string().nullable(),
          createdBy: z.string(),
          createdAt: timestamp,
        }),
      )
      .describe('Newest first.'),
  })
  .meta({
    id: 'CustomMetricDetail',
    examples: [
      {
        object: 'custom_metric_detail',
        metric: { object: 'custom_metric', ...shownExample, figure: figureExample },
        from: null,
        to: null,
        groups: [{ key: '4', ...figureExample, sinceBefore: { difference: -0.02, lower: -0.04, upper: 0 } }],
        versions: [
          {
            version: 1,
            form: shownExample.form,
            appliesWhen: 'duration_s > 10',
            changeReason: null,
            createdBy: shownExample.createdBy,
            createdAt: shownExample.createdAt,
          },
        ],
      },
    ],
  });
export type CustomMetricDetail = z.infer<typeof customMetricDetail>;

const value = {
  state: z
    .enum(METRIC_STATES)
    .describe('`not_applicable` is a call that it is not about, `unknown` one of which it could not be told.'),
  value: z.union([z.number(), z.boolean(), z.string()]).nullable().describe('Null where the state is another one.'),
  turn: z.int().nullable().describe('Where the call shows it.'),
  quote: z.string().describe('Words of that turn; empty where none show it, and once the words of the call are gone.'),
  because: z.string().describe('Why it is not known, or what shows it; may be empty.'),
};

export const customMetricCalls = z
  .strictObject({
    object: z.literal('custom_metric_calls'),
    slug: z.string(),
    version: z.int().min(1),
    ...range,
    calls: z.array(z.strictObject({ ...value, call })).describe('In the order asked for.'),
  })
  .meta({
    id: 'CustomMetricCalls',
    examples: [
      {
        object: 'custom_metric_calls',
        slug: 'cost_a_minute',
        version: 1,
        from: null,
        to: null,
        calls: [{ state: 'value', value: 0.31, turn: null, quote: '', because: '', call: callExample }],
      },
    ],
  });
export type CustomMetricCalls = z.infer<typeof customMetricCalls>;

export const metricsOfCall = z
  .strictObject({
    object: z.literal('call_custom_metrics'),
    callId: z.string(),
    values: z.array(
      z.strictObject({
        slug: z.string(),
        name: z.string(),
        version: z.int().min(1),
        answer: z.enum(METRIC_ANSWERS),
        unit: z.string().nullable(),
        isBad: z.boolean().nullable().describe('Whether the value is a bad one; null where nobody said which are.'),
        ...value,
      }),
    ),
    facts: z
      .array(
        z.strictObject({
          name: z.string(),
          type: z.string().describe('As CEL names it.'),
          about: z.string(),
          value: z.json().describe('On this call; null where the call does not say it.'),
        }),
      )
      .describe('What formulas can name.'),
  })
  .meta({
    id: 'CallCustomMetrics',
    examples: [
      {
        object: 'call_custom_metrics',
        callId: callExample.id,
        values: [
          {
            slug: 'cost_a_minute',
            name: 'Cost a minute',
            version: 1,
            answer: 'number',
            unit: 'USD',
            isBad: null,
            state: 'value',
            value: 0.31,
            turn: null,
            quote: '',
            because: '',
          },
        ],
        facts: [{ name: 'duration_s', type: 'double', about: 'Length of the call in seconds.', value: 84.2 }],
      },
    ],
  });

export const metricToTry = z
  .strictObject({
    form,
    appliesWhen: appliesWhen.optional(),
    compareWith: z
      .string()
      .regex(METRIC_SLUG)
      .optional()
      .describe(
        'A metric of the agent: shows the calls whose value would be another one than by its version in force.',
      ),
  })
  .meta({
    examples: [{ form: { kind: 'formula', expression: 'tool_failures > 0' }, appliesWhen: null }],
  });

const tried = z.strictObject({ callId: z.string(), startedAt: timestamp.nullable(), ...value });
export const customMetricTrial = z
  .strictObject({
    object: z.literal('custom_metric_trial'),
    valid: z.boolean(),
    problems: z.array(z.strictObject({ param: z.string(), message: z.string() })),
    answer: z.enum(METRIC_ANSWERS).nullable().describe('Null where it is not valid.'),
    calls: z.array(tried).describe('The newest 20 calls with what it would say of them.'),
    compared: z
      .strictObject({
        calls: count.describe('The newest calls that were held against both, 200 at most.'),
        flips: z
          .array(z.strictObject({ ...tried.shape, before: z.strictObject(value) }))
          .describe('Those of which it would say something else, newest first.'),
      })
      .nullable(),
  })
  .meta({
    id: 'CustomMetricTrial',
    examples: [
      {
        object: 'custom_metric_trial',
        valid: true,
        problems: [],
        answer: 'yes_no',
        calls: [
          {
            callId: callExample.id,
            startedAt: callExample.startedAt,
            state: 'value',
            value: true,
            turn: null,
            quote: '',
            because: '',
          },
        ],
        compared: null,
      },
    ],
  });
export type CustomMetricTrial = z.infer<typeof customMetricTrial>;

export const removedCustomMetric = z
  .strictObject({ object: z.literal('custom_metric'), slug: z.string(), removed: z.literal(true) })
  .meta({ id: 'RemovedCustomMetric' });
