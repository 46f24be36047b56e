import { findCustomMetric } from '../../db/custom-metrics/metrics.ts';
import { newSlugParent, slugParent } from '../slug-parent.ts';

const slug = { param: 'customMetric', notFound: 'custom_metric_not_found' } as const;

/** A metric of the agent by its slug. */
export const customMetricParent = slugParent(slug, findCustomMetric);

/** The slug of one that is there or is to be made. */
export const customMetricSlug = newSlugParent(slug);
