import { useParams } from '@tanstack/react-router';
import { api } from '../../client/api.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { MetricForm } from './metric-form.tsx';

const BELOW =
  'A formula over the facts of each call, or a pattern: after one thing, another within some turns or seconds.';

function useMetrics() {
  const agent = useAgent();
  return api.useQuery('get', '/v1/agents/{agentId}/custom-metrics', { params: { path: { agentId: agent.id } } });
}

function BackToMetrics() {
  const agent = useAgent();
  return (
    <BackLink to="/a/$agentId/metrics" params={{ agentId: agent.id }}>
      Metrics
    </BackLink>
  );
}

export function NewMetricPage() {
  const agent = useAgent();
  return (
    <Page title="New metric" above={<BackToMetrics />} below={BELOW}>
      <Loaded of={useMetrics()}>
        {({ data }) => <MetricForm before={null} taken={data.map(({ slug }) => slug)} unless={readOnlyReason(agent)} />}
      </Loaded>
    </Page>
  );
}

export function EditMetricPage() {
  const agent = useAgent();
  const { metric: slug } = useParams({ from: '/inside/a/$agentId/custom-metrics/$metric' });
  return (
    <Page title="Edit the metric" above={<BackToMetrics />} below={BELOW}>
      <Loaded of={useMetrics()}>
        {({ data }) => {
          const before = data.find((metric) => metric.slug === slug);
          return before === undefined ? (
            <p className="text-ink-2">This metric was removed.</p>
          ) : (
            <MetricForm before={before} taken={[]} unless={readOnlyReason(agent)} />
          );
        }}
      </Loaded>
    </Page>
  );
}
