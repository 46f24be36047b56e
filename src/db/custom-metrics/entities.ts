import { defineEntity, p } from '@mikro-orm/core';
import type { MetricForm } from '../../domain/custom-metrics/metric.ts';
import {
  BACKFILL_STATES,
  CUSTOM_METRIC_KINDS,
  METRIC_ANSWERS,
  METRIC_DIRECTIONS,
  METRIC_STATES,
} from '../../domain/vocabulary.ts';
import { count, createdAt, id, updatedAt } from '../columns.ts';
import { fenced, fencedByAgent } from '../row-security.ts';

/** A metric that people define for an agent, by its slug. */
export const CustomMetric = defineEntity({
  name: 'CustomMetric',
  tableName: 'custom_metrics',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    slug: p.text(),
    name: p.text(),
    description: p.text().nullable(),
    kind: p.enum(CUSTOM_METRIC_KINDS),
    /** What its value is, as the check of its form found it. */
    answer: p.enum(METRIC_ANSWERS),
    better: p.enum(METRIC_DIRECTIONS),
    /** Of a metric that answers with labels, those that are bad. */
    badLabels: p.array().defaultRaw(`'{}'`),
    unit: p.text().nullable(),
    /** Of all calls, the share that gets a value, drawn by their ids. */
    share: p.double().default(1),
    /** Whether calls that are analysed from now on get a value. */
    isOn: p.boolean().default(false),
    /** Grows with each change of how it comes by its value: values belong to one version. */
    version: p.integer().default(1),
    form: p.json<MetricForm>(),
    appliesWhen: p.text().nullable(),
    /** Of earlier calls, for the version in force; null where nobody asked for them. */
    backfillState: p.enum(BACKFILL_STATES).nullable(),
    backfillDone: count(),
    backfillTotal: count(),
    /** A person's id, or `key:<id>`. */
    createdBy: p.text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'custom_metrics_slug', properties: ['agentId', 'slug'] }],
});

/** What a metric was at each version, and why it was changed. */
export const CustomMetricVersion = defineEntity({
  name: 'CustomMetricVersion',
  tableName: 'custom_metric_versions',
  ...fenced,
  primaryKeys: ['metricId', 'version'],
  properties: {
    metricId: p.uuid().primary(),
    version: p.integer().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    form: p.json<MetricForm>(),
    appliesWhen: p.text().nullable(),
    /** Null of the first one. */
    changeReason: p.text().nullable(),
    createdBy: p.text(),
    createdAt: createdAt(),
  },
});

/** What a version of a metric says of a call. */
export const CustomMetricValue = defineEntity({
  name: 'CustomMetricValue',
  tableName: 'custom_metric_values',
  ...fencedByAgent,
  primaryKeys: ['metricId', 'version', 'callId'],
  properties: {
    metricId: p.uuid().primary(),
    version: p.integer().primary(),
    callId: p.uuid().primary(),
    agentId: p.uuid(),
    state: p.enum(METRIC_STATES),
    /** Yes is 1 and no is 0. */
    number: p.double().nullable(),
    label: p.text().nullable(),
    turn: p.integer().nullable(),
    quote: p.text(),
    because: p.text(),
  },
  indexes: [
    { name: 'custom_metric_values_call', properties: ['callId'] },
    {
      name: 'custom_metric_values_worst',
      expression: `create index "custom_metric_values_worst" on "custom_metric_values" ("metric_id", "version", "number") where "number" is not null`,
    },
  ],
});
