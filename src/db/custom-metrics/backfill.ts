import type { MetricBackfillInput, MetricBackfillPlace } from '../../temporal/backfill-metric.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { callsIn, EVERY_CALL } from '../metrics/read-metrics.ts';
import { newestFirst } from '../pages.ts';
import { storeValuesOf } from './compute.ts';

type Metric = Omit<MetricBackfillInput, 'from'>;

/** Calls of a page: a pattern opens their transcripts. */
const PAGE = { formula: 500, pattern: 100 } as const;

const theOne = (em: EntityManager, { metricId, version }: Metric) =>
  db(em).updateTable('custom_metrics').where('id', '=', metricId).where('version', '=', version);

/** Has a metric computed on the calls that are there: the caller orders the workflow. */
export async function openBackfill(em: EntityManager, metric: Metric): Promise<void> {
  const { total } = await db(em)
    .selectFrom('calls as c')
    .where(callsIn({ workspaceId: metric.workspaceId, agentIds: [metric.agentId] }, EVERY_CALL))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  await theOne(em, metric).set({ backfillState: 'queued', backfillDone: 0, backfillTotal: total }).execute();
}

/**
 * Computes the page that begins at a place, newest calls first, and notes how far it is.
 * @returns where the next one begins; null where it is over, or the metric is another one by now.
 */
export async function backfillPage(
  em: EntityManager,
  metric: Metric,
  { after, done }: MetricBackfillPlace,
): Promise<MetricBackfillPlace | null> {
  const { agentId, workspaceId, metricId, version } = metric;
  return em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    const row = await db(tx)
      .selectFrom('custom_metrics')
      .where('id', '=', metricId)
      .where('version', '=', version)
      .select(['id as metricId', 'version', 'form', 'appliesWhen', 'answer', 'share'])
      .executeTakeFirst();
    if (row === undefined) return null;
    const limit = PAGE[row.form.kind];
    const calls = db(tx)
      .selectFrom('calls as c')
      .where(callsIn({ workspaceId, agentIds: [agentId] }, EVERY_CALL))
      .select(['c.id', 'c.sortAt']);
    // One more than the page tells whether it is the last.
    const found = await newestFirst(calls, ['c.sortAt', 'c.id'], { after, limit }).execute();
    const page = found.slice(0, limit);
    const ids = page.map(({ id }) => id);
    if (ids.length > 0) await storeValuesOf(tx, agentId, ids, [row]);
    const now = done + page.length;
    const last = page.at(-1);
    const isOver = last === undefined || found.length <= limit;
    await theOne(tx, metric)
      .set(({ fn, ref, val }) => ({
        backfillState: isOver ? 'complete' : 'running',
        backfillDone: now,
        // Calls that came meanwhile are computed as they come, and met here as well.
        backfillTotal: isOver ? now : fn<number>('greatest', [ref('backfillTotal'), val(now)]),
      }))
      .execute();
    return isOver ? null : { after: [last.sortAt, last.id] as const, done: now };
  });
}

export async function failBackfill(em: EntityManager, metric: Metric): Promise<void> {
  await theOne(em, metric).where('backfillState', '<>', 'complete').set({ backfillState: 'failed' }).execute();
}

/** Those under way, but for agents that are being erased. */
export function openBackfills(em: EntityManager, workspaceId: string): Promise<Metric[]> {
  return db(em)
    .selectFrom('custom_metrics as m')
    .innerJoin('agents as a', 'a.id', 'm.agentId')
    .where('m.workspaceId', '=', workspaceId)
    .where('m.backfillState', 'in', ['queued', 'running'])
    .where('a.erasing', '=', false)
    .select(['m.workspaceId', 'm.agentId', 'm.id as metricId', 'm.version'])
    .execute();
}
