import { useState } from 'react';
import { api, type Schemas } from '../../client/api.ts';
import { count } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { NameLink } from '../../ui/link.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { SettingsFrame } from './settings-frame.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookState } from './webhook-state.tsx';

type Webhook = Schemas['Webhook'];

export function WebhooksPage() {
  return (
    <SettingsFrame title="Webhooks" at="/settings/webhooks">
      {(adminOnly) => <Webhooks adminOnly={adminOnly} />}
    </SettingsFrame>
  );
}

function Webhooks({ adminOnly }: { adminOnly: string | null }) {
  const webhooks = api.useQuery('get', '/app/webhooks', { params: { query: { limit: 100 } } });
  const [making, setMaking] = useState(false);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <p className="text-sm text-ink-2">Addresses that are told when something happens, with signed messages.</p>
        <div className="ml-auto">
          <Button kind="primary" unless={adminOnly} onClick={() => setMaking(true)}>
            New webhook
          </Button>
        </div>
      </div>
      <Loaded of={webhooks} rows={3}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No webhooks yet">
              A webhook posts to an address of yours when a run ends or waits for approval, an issue opens, comes back
              or is resolved, a watch fails, or an import is stuck.
            </Empty>
          ) : (
            <WebhookTable webhooks={data} />
          )
        }
      </Loaded>
      {making && <WebhookForm onClose={() => setMaking(false)} />}
    </>
  );
}

function WebhookTable({ webhooks }: { webhooks: Webhook[] }) {
  return (
    <Table label="Webhooks">
      <thead>
        <tr>
          <HeadCell>Address</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell>Told of</HeadCell>
          <HeadCell figure>Still to get through</HeadCell>
        </tr>
      </thead>
      <tbody>
        {webhooks.map((webhook) => (
          <tr key={webhook.id} className="hover:bg-sunken/60">
            <Cell className="break-all">
              <NameLink to="/settings/webhooks/$webhookId" params={{ webhookId: webhook.id }}>
                {webhook.url}
              </NameLink>
            </Cell>
            <Cell>
              <WebhookState webhook={webhook} />
            </Cell>
            <Cell className="text-ink-2">{webhook.events.join(', ')}</Cell>
            <Cell figure>{count(webhook.pending)}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
