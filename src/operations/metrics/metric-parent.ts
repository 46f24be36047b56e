import { z } from 'zod';
import type { MetricDefinition } from '../../domain/comparisons/metrics.ts';
import { METRICS } from '../../domain/metrics/figures.ts';
import { Failure } from '../failure.ts';
import type { Parent } from '../operation.ts';

const NAME = /^[a-z0-9_]+$/;

/** A metric of the catalogue by its id; it has no 404 of its own, because the catalogue is the same for everybody. */
export const metricParent: Parent<MetricDefinition> = {
  param: 'metric',
  notFound: 'route_not_found',
  format: 'text',
  schema: z.enum(METRICS.map(({ metric }) => metric)),
  async load(_em, id) {
    const found = METRICS.find(({ metric }) => metric === id);
    if (found) return found;
    const known = METRICS.map(({ metric }) => metric).join(', ');
    const problem = NAME.test(id) ? `There is no metric ${id}` : 'metric must hold only a to z, 0 to 9 and _';
    throw new Failure('invalid_parameter', `${problem}. The metrics are: ${known}.`, { param: 'metric' });
  },
};
