import { z } from 'zod';
import { METRIC_SLUG } from '../../contract/custom-metric.ts';
import { type CustomMetricView, findCustomMetric } from '../../db/custom-metrics/metrics.ts';
import { Failure } from '../failure.ts';
import type { Parent } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

const slug = {
  param: 'customMetric',
  notFound: 'custom_metric_not_found',
  format: 'text',
  schema: z.string().regex(METRIC_SLUG),
} as const;

/** A metric of the agent by its slug. */
export const customMetricParent: Parent<CustomMetricView> = {
  ...slug,
  load: async (em, id, { agent }) => (agent && METRIC_SLUG.test(id) ? findCustomMetric(em, scopeOf(agent), id) : null),
};

/** The slug of one that is there or is to be made. */
export const customMetricSlug: Parent<{ slug: string }> = {
  ...slug,
  load: (_, id) => {
    if (!METRIC_SLUG.test(id)) {
      const message =
        'customMetric must begin with a letter and hold only a to z, 0 to 9 and _, 60 characters at most.';
      throw new Failure('invalid_parameter', message, { param: 'customMetric' });
    }
    return Promise.resolve({ slug: id });
  },
};
