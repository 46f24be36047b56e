import { continueAsNew, isCancellation, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { MetricBackfillInput, MetricBackfillPlace } from '../../src/temporal/backfill-metric.ts';
import { analysis, control } from '../shared/activity-calls.ts';

const PAGES_OF_ONE_RUN = 300;

/**
 * Computes a version of a custom metric on the calls that are there already, newest first. How far it is stands in the
 * record; where the metric is changed or removed meanwhile it ends.
 */
export async function backfillMetric(input: MetricBackfillInput): Promise<void> {
  const { from, ...metric } = input;
  let place: MetricBackfillPlace | null = from ?? { after: null, done: 0 };
  try {
    for (let pages = 0; place !== null; pages += 1) {
      if (pages >= PAGES_OF_ONE_RUN || workflowInfo().continueAsNewSuggested) {
        return await continueAsNew<typeof backfillMetric>({ ...metric, from: place });
      }
      setCurrentDetails(`**${place.done} calls computed**`);
      place = await analysis('a page of calls').backfillMetricPage({ ...metric, place });
    }
  } catch (error) {
    if (error instanceof Error && error.name === 'ContinueAsNew') throw error;
    if (!isCancellation(error)) await control.noteMetricBackfillFailed(metric);
    throw error;
  }
}
