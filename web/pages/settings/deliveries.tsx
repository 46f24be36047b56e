import { useSearch } from '@tanstack/react-router';
import { DELIVERY_STATES } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { byCursor } from '../../client/by-cursor.ts';
import { useChange } from '../../client/use-change.ts';
import { count, words } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { TabLink } from '../../ui/link.tsx';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/panel.tsx';
import { Empty, Loaded, RefusalNote } from '../../ui/states.tsx';
import { HeadCell, Table } from '../../ui/table.tsx';
import type { DeliveryFilters } from './delivery-filters.ts';
import { LogRow } from './log-row.tsx';
import { Tries } from './tries.tsx';

type Webhook = Schemas['Webhook'];
type Delivery = Schemas['WebhookDelivery'];

const FROM = '/settings/webhooks/$webhookId';

/** What was posted to it, with what came back. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const filters = useSearch({ from: '/inside/settings/webhooks/$webhookId' });
  const deliveries = api.useInfiniteQuery(
    'get',
    '/app/webhooks/{webhookId}/deliveries',
    { params: { path: { webhookId: webhook.id }, query: { limit: 50, ...filters } } },
    byCursor,
  );
  const rows = deliveries.data?.pages.flatMap(({ data }) => data);
  return (
    <Section
      title="Deliveries"
      note="newest first; bodies are kept for 30 days"
      aside={<SendFailedAgain of={webhook} />}
    >
      <nav aria-label="Narrow the deliveries" className="mb-3 flex flex-wrap gap-1">
        <TabLink from={FROM} search={{}} chosen={filters.state === undefined}>
          All
        </TabLink>
        {DELIVERY_STATES.map((state) => (
          <TabLink key={state} from={FROM} search={{ state }} chosen={filters.state === state}>
            {words(state)}
          </TabLink>
        ))}
      </nav>
      <Loaded of={{ data: rows, error: deliveries.error, refetch: deliveries.refetch }} rows={4}>
        {(loaded) => (loaded.length === 0 ? <NoDeliveries filters={filters} /> : <DeliveryTable deliveries={loaded} />)}
      </Loaded>
      <More of={deliveries} />
    </Section>
  );
}

function NoDeliveries({ filters }: { filters: DeliveryFilters }) {
  if (filters.state) return <Empty title={`No deliveries are ${filters.state}`} />;
  return <Empty title="Nothing was posted yet">The first event of its kinds appears here, with each try.</Empty>;
}

/** After the receiver recovered: everything that failed within the last day. */
function SendFailedAgain({ of: webhook }: { of: Webhook }) {
  const change = useChange();
  const send = api.useMutation('post', '/app/webhooks/{webhookId}/send-again-since');
  const since = () => new Date(Date.now() - 24 * 3_600_000).toISOString();
  const run = () => change(send.mutateAsync({ params: { path: { webhookId: webhook.id } }, body: { since: since() } }));
  return (
    <span className="flex flex-wrap items-center gap-2">
      <RefusalNote error={send.error} />
      {send.data && <span className="text-sm text-ink-2">{count(send.data.count)} are sent again.</span>}
      <Button busy={send.isPending} onClick={() => void run()}>
        Send again what failed in the last 24 hours
      </Button>
    </span>
  );
}

function DeliveryTable({ deliveries }: { deliveries: Delivery[] }) {
  return (
    <Table label="Deliveries">
      <thead>
        <tr>
          <HeadCell>Event</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell figure>Tries</HeadCell>
          <HeadCell>Answer</HeadCell>
          <HeadCell>Last try</HeadCell>
          <HeadCell>Next try</HeadCell>
          <HeadCell>
            <span className="sr-only">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} />
        ))}
      </tbody>
    </Table>
  );
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  return (
    <LogRow
      of={delivery}
      what={<code className="font-mono text-xs">{delivery.event}</code>}
      lastTriedAt={delivery.lastTriedAt}
      actions={<SendAgain delivery={delivery} />}
      tries={<Tries delivery={delivery} />}
    />
  );
}

function SendAgain({ delivery }: { delivery: Delivery }) {
  const change = useChange();
  const send = api.useMutation('post', '/app/webhooks/{webhookId}/deliveries/{deliveryId}/send-again');
  const params = { path: { webhookId: delivery.webhookId, deliveryId: delivery.id } };
  return (
    <>
      <Button
        kind="quiet"
        busy={send.isPending}
        unless={delivery.canBeSentAgain ? null : 'Its body was deleted after 30 days.'}
        onClick={() => void change(send.mutateAsync({ params }))}
      >
        Send again
      </Button>
      <RefusalNote error={send.error} />
    </>
  );
}
