import { useParams } from '@tanstack/react-router';
import { api } from '../../client/api.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { WatchForm } from './watch-form.tsx';

export function NewWatchPage() {
  const agent = useAgent();
  return (
    <Page
      title="New watch"
      above={
        <BackLink to="/a/$agentId/watches" params={{ agentId: agent.id }}>
          Watches
        </BackLink>
      }
      below="Say on which calls something is expected, and what. Rules put it into a form that code decides."
    >
      <WatchForm before={null} unless={readOnlyReason(agent)} />
    </Page>
  );
}

export function EditWatchPage() {
  const agent = useAgent();
  const { watchId } = useParams({ from: '/inside/a/$agentId/watches/$watchId/edit' });
  const path = { agentId: agent.id, watchId };
  const watch = api.useQuery('get', '/v1/agents/{agentId}/watches/{watchId}', { params: { path } });
  return (
    <Page
      title="Edit the watch"
      above={
        <BackLink to="/a/$agentId/watches/$watchId" params={path}>
          {watch.data?.name ?? 'Watch'}
        </BackLink>
      }
      below="Changing the wording starts a new revision, with new samples to label. Changing only the name or lane does not."
    >
      <Loaded of={watch}>{(data) => <WatchForm before={data} unless={readOnlyReason(agent)} />}</Loaded>
    </Page>
  );
}
