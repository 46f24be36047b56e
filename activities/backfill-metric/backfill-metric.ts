import { backfillPage, failBackfill } from '../../src/db/custom-metrics/backfill.ts';
import type { MetricBackfillInput, MetricBackfillPlace } from '../../src/temporal/backfill-metric.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

type Metric = Omit<MetricBackfillInput, 'from'>;

/** Each page is an upsert, so that an attempt which comes twice adds nothing. */
export function createMetricBackfill({ database }: Pick<ActivityDeps, 'database'>) {
  return {
    /** @returns where the next page begins; null where it is over, or the metric is another one by now. */
    async backfillMetricPage({
      place,
      ...metric
    }: Metric & { place: MetricBackfillPlace }): Promise<MetricBackfillPlace | null> {
      return withHeartbeat(
        () => ({ done: place.done }),
        () => backfillPage(database.within(metric.workspaceId), metric, place),
      );
    },
  };
}

export function createMetricBackfillRecord({ database }: Pick<ActivityDeps, 'database'>) {
  return {
    async noteMetricBackfillFailed(metric: Metric): Promise<void> {
      await failBackfill(database.within(metric.workspaceId), metric);
    },
  };
}
