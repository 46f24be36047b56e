import type { MetricForm, MetricRule, MetricVersion } from '../../domain/custom-metrics/metric.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, now } from '../expressions.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';

export type CustomMetricView = Row<'custom_metrics'>;

/** Metrics that one agent can have. */
export const METRICS_AT_MOST = 50;

/** What people say of a metric. */
export type MetricSettings = Pick<
  CustomMetricView,
  'slug' | 'name' | 'description' | 'answer' | 'better' | 'badLabels' | 'unit' | 'share' | 'isOn'
> &
  MetricRule;

/** Metrics of an agent by their slugs. */
export function listCustomMetrics(em: EntityManager, scope: ReadScope): Promise<CustomMetricView[]> {
  return db(em)
    .selectFrom('custom_metrics')
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId)
    .selectAll()
    .orderBy('slug')
    .execute();
}

export async function findCustomMetric(
  em: EntityManager,
  scope: ReadScope,
  slug: string,
): Promise<CustomMetricView | null> {
  const row = await db(em)
    .selectFrom('custom_metrics')
    .where('agentId', '=', anyAgent(scope))
    .where('workspaceId', '=', scope.workspaceId)
    .where('slug', '=', slug)
    .selectAll()
    .executeTakeFirst();
  return row ?? null;
}

export type MetricVersionView = Pick<
  Row<'custom_metric_versions'>,
  'version' | 'form' | 'appliesWhen' | 'changeReason' | 'createdBy' | 'createdAt'
>;

/** Newest first. */
export function listMetricVersions(em: EntityManager, metricId: string): Promise<MetricVersionView[]> {
  return db(em)
    .selectFrom('custom_metric_versions')
    .where('metricId', '=', metricId)
    .select(['version', 'form', 'appliesWhen', 'changeReason', 'createdBy', 'createdAt'])
    .orderBy('version', 'desc')
    .execute();
}

interface Owner {
  workspaceId: string;
  agentId: string;
}

interface Change {
  createdBy: string;
  changeReason: string | null;
}

export async function insertCustomMetric(
  em: EntityManager,
  owner: Owner,
  { form, ...settings }: MetricSettings,
  change: Change,
): Promise<void> {
  const id = newId();
  const { createdBy } = change;
  await db(em)
    .insertInto('custom_metrics')
    .values({ ...owner, ...settings, id, kind: form.kind, form: json(form), createdBy })
    .execute();
  await addVersion(em, owner, { metricId: id, version: 1, form, appliesWhen: settings.appliesWhen }, change);
}

/** @param isNewVersion it comes by its values in another way than before. */
export async function updateCustomMetric(
  em: EntityManager,
  owner: Owner,
  { id, version }: Pick<CustomMetricView, 'id' | 'version'>,
  { form, ...settings }: MetricSettings,
  isNewVersion: boolean,
  change: Change,
): Promise<void> {
  const next = isNewVersion ? version + 1 : version;
  await db(em)
    .updateTable('custom_metrics')
    .where('id', '=', id)
    .set({ ...settings, kind: form.kind, form: json(form), version: next, updatedAt: now })
    .$if(isNewVersion, (update) => update.set({ backfillState: null, backfillDone: 0, backfillTotal: 0 }))
    .execute();
  const made = { metricId: id, version: next, form, appliesWhen: settings.appliesWhen };
  if (isNewVersion) await addVersion(em, owner, made, change);
}

async function addVersion(
  em: EntityManager,
  { workspaceId, agentId }: Owner,
  { form, ...made }: { metricId: string; version: number; form: MetricForm; appliesWhen: string | null },
  change: Change,
): Promise<void> {
  await db(em)
    .insertInto('custom_metric_versions')
    .values({ ...made, workspaceId, agentId, form: json(form), ...change })
    .execute();
}

/** With its versions and values. */
export async function deleteCustomMetric(em: EntityManager, metricId: string): Promise<void> {
  await db(em).deleteFrom('custom_metric_values').where('metricId', '=', metricId).execute();
  await db(em).deleteFrom('custom_metric_versions').where('metricId', '=', metricId).execute();
  await db(em).deleteFrom('custom_metrics').where('id', '=', metricId).execute();
}

/** What is computed of each call as it is stored. */
export function metricsToCompute(em: EntityManager, agentId: string): Promise<MetricVersion[]> {
  return db(em)
    .selectFrom('custom_metrics')
    .where('agentId', '=', agentId)
    .where('isOn', '=', true)
    .where('kind', '<>', 'judged')
    .select(['id as metricId', 'version', 'form', 'appliesWhen', 'answer', 'share'])
    .orderBy('id')
    .execute();
}
