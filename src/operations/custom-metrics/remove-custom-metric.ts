import { removedCustomMetric } from '../../contract/custom-metric.ts';
import { deleteCustomMetric } from '../../db/custom-metrics/metrics.ts';
import { defineOperation } from '../operation.ts';
import { customMetricParent } from './parent.ts';

export const removeCustomMetric = defineOperation({
  id: 'removeCustomMetric',
  surface: 'app',
  method: 'DELETE',
  path: '/app/agents/{agentId}/custom-metrics/{customMetric}',
  scope: 'person',
  tag: 'Metrics',
  summary: 'Remove a custom metric',
  description: 'With its versions and all its values. One that is only to rest is turned off instead.',
  parents: [customMetricParent],
  response: removedCustomMetric,
  async run(context) {
    const { id, slug } = context.parent(customMetricParent);
    await deleteCustomMetric(context.em, id);
    return { object: 'custom_metric' as const, slug, removed: true as const };
  },
});
