import { useParams } from '@tanstack/react-router';
import { api, type Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Chip } from '../../ui/chip.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded, ProblemNote, Skeleton } from '../../ui/states.tsx';
import { WatchStateChip } from '../watches/watch-state.tsx';
import { Bar } from './bar.tsx';
import { Decisions } from './decisions.tsx';
import { Form } from './form.tsx';
import { Samples } from './samples.tsx';
import { Trend } from './trend.tsx';

type Watch = Schemas['Watch'];

export function WatchPage() {
  const agent = useAgent();
  const { watchId } = useParams({ from: '/inside/a/$agentId/watches/$watchId' });
  const params = { path: { agentId: agent.id, watchId } };
  const watch = api.useQuery('get', '/v1/agents/{agentId}/watches/{watchId}', { params });
  const results = api.useQuery('get', '/v1/agents/{agentId}/watches/{watchId}/results', { params });
  const above = (
    <BackLink to="/a/$agentId/watches" params={{ agentId: agent.id }}>
      Watches
    </BackLink>
  );
  if (!watch.data) {
    return (
      <Page title="Watch" above={above}>
        {watch.error ? <ProblemNote error={watch.error} onRetry={() => void watch.refetch()} /> : <Skeleton />}
      </Page>
    );
  }
  return (
    <Page
      title={watch.data.name}
      above={above}
      below={<Head watch={watch.data} />}
      actions={<Decisions watch={watch.data} unless={readOnlyReason(agent)} />}
    >
      {results.data?.failing && (
        <Panel tone="bad" className="mb-6 p-4">
          <p className="max-w-[76ch]">{results.data.failing.message}</p>
          <p className="mt-1 max-w-[76ch] text-sm text-ink-2">{results.data.failingRule}</p>
        </Panel>
      )}
      <div className="grid gap-8 @page-xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="min-w-0 space-y-8">
          <Form watch={watch.data} sourceNote={results.data?.sourceNote ?? null} />
          <Samples watch={watch.data} unless={readOnlyReason(agent)} />
        </div>
        <aside className="min-w-0 space-y-6" aria-label="Bar and figures">
          <Bar watch={watch.data} results={results.data} unless={readOnlyReason(agent)} />
          <Loaded of={results} rows={3}>
            {(data) => <Trend results={data} />}
          </Loaded>
        </aside>
      </div>
    </Page>
  );
}

function Head({ watch }: { watch: Watch }) {
  const { state, lane, revision, origin } = watch;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <WatchStateChip state={state} />
      <Chip>{words(lane)}</Chip>
      {origin === 'generated' ? 'suggested from the agent’s text' : 'written by a person'} · revision {revision}
    </span>
  );
}
