import type { StartEntry } from './outbox-entry.ts';

/** A version of a custom metric computed on the calls that are there already. */
export const BACKFILL_METRIC = 'backfillMetric';

export interface MetricBackfillInput {
  workspaceId: string;
  agentId: string;
  metricId: string;
  version: number;
  /** Where an earlier run of it came to. */
  from?: MetricBackfillPlace;
}

export interface MetricBackfillPlace {
  /** Start and id of the last call; null at the beginning. */
  after: readonly [sortAt: string, id: string] | null;
  done: number;
}

export function backfillMetricEntry(
  input: MetricBackfillInput,
): StartEntry<typeof BACKFILL_METRIC, MetricBackfillInput> {
  const workflowId = `custom-metric/${input.metricId}/${input.version}`;
  return { kind: 'start', workflow: BACKFILL_METRIC, workflowId, input };
}
