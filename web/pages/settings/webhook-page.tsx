import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { BackLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loaded, RefusalNote } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Deliveries } from './deliveries.tsx';
import { Secret, WebhookForm } from './webhook-form.tsx';
import { WebhookState } from './webhook-state.tsx';

type Webhook = Schemas['Webhook'];

export function WebhookPage() {
  const { webhookId } = useParams({ from: '/inside/settings/webhooks/$webhookId' });
  const webhook = api.useQuery('get', '/app/webhooks/{webhookId}', { params: { path: { webhookId } } });
  return (
    <Page
      title={webhook.data?.url ?? 'Webhook'}
      above={<BackLink to="/settings/webhooks">Webhooks</BackLink>}
      below={webhook.data && <Head webhook={webhook.data} />}
      actions={webhook.data && <Actions webhook={webhook.data} />}
    >
      <Loaded of={webhook}>
        {(data) => (
          <>
            {data.offReason && (
              <Panel tone="caution" className="mb-6 p-4">
                <p className="max-w-[76ch]">{data.offReason}</p>
              </Panel>
            )}
            <Deliveries webhook={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Head({ webhook }: { webhook: Webhook }) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <WebhookState webhook={webhook} />
      {webhook.events.join(', ')}
      {webhook.previousSecretEndsAt && (
        <>
          · the secret before signs until <Time at={webhook.previousSecretEndsAt} short />
        </>
      )}
    </span>
  );
}

function Actions({ webhook }: { webhook: Webhook }) {
  const [changing, setChanging] = useState(false);
  const change = useChange();
  const edit = api.useMutation('patch', '/app/webhooks/{webhookId}');
  const params = { path: { webhookId: webhook.id } };
  const turn = () => change(edit.mutateAsync({ params, body: { enabled: !webhook.enabled } }));
  return (
    <>
      <RefusalNote error={edit.error} />
      <Button onClick={() => setChanging(true)}>Change</Button>
      <Button busy={edit.isPending} onClick={() => void turn()}>
        {webhook.enabled ? 'Switch off' : 'Switch on'}
      </Button>
      <Rotate webhook={webhook} />
      <Delete webhook={webhook} />
      {changing && <WebhookForm before={webhook} onClose={() => setChanging(false)} />}
    </>
  );
}

function Rotate({ webhook }: { webhook: Webhook }) {
  const change = useChange();
  const rotate = api.useMutation('post', '/app/webhooks/{webhookId}/rotate-secret');
  return (
    <>
      <Confirm
        button="New secret"
        kind="plain"
        title="Make a new secret?"
        does="Make a new secret"
        error={rotate.error}
        busy={rotate.isPending}
        onConfirm={() => change(rotate.mutateAsync({ params: { path: { webhookId: webhook.id } } }))}
      >
        For 24 hours messages are signed by both, so that the receiver can change over.
      </Confirm>
      {rotate.data && <Secret value={rotate.data.secret} onClose={rotate.reset} />}
    </>
  );
}

function Delete({ webhook }: { webhook: Webhook }) {
  const change = useChange();
  const navigate = useNavigate();
  const remove = api.useMutation('delete', '/app/webhooks/{webhookId}');
  const run = async () => {
    const removed = await change(remove.mutateAsync({ params: { path: { webhookId: webhook.id } } }));
    if (removed) await navigate({ to: '/settings/webhooks' });
    return removed;
  };
  return (
    <Confirm
      button="Delete"
      kind="danger"
      title="Delete this webhook?"
      does="Delete the webhook"
      error={remove.error}
      busy={remove.isPending}
      onConfirm={run}
    >
      At once and for good, with its secret. What still waits for it is dropped.
    </Confirm>
  );
}
