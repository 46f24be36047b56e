import type { WebhookDeliveryResource, WebhookResource } from '../src/contract/webhook.ts';
import { WEBHOOK_EVENTS } from '../src/domain/vocabulary.ts';
import { PROGRAM } from '../src/layout.ts';
import { requireAgent } from './choose-agent.ts';
import { readAll } from './lists.ts';
import { EXIT, Problem } from './problem.ts';
import type { Session } from './session.ts';
import { openClock, stamp } from './times.ts';

const DELIVERIES_SHOWN = 25;

export async function showWebhooks(session: Session): Promise<void> {
  const { print, json } = session;
  const webhooks = await readWebhooks(session);
  if (json) return print.json(webhooks);
  if (webhooks.length === 0) return print.line(`No webhooks. Add one: ${PROGRAM} webhooks add https://…`);
  print.table(
    ['', 'Address', 'Agent', 'Pending', 'Standing'],
    webhooks.map((webhook, at) => [
      String(at + 1),
      webhook.url,
      webhook.agentId ?? 'all',
      String(webhook.pending),
      standingOf(webhook),
    ]),
    webhooks.map(({ events }) => [events.length === WEBHOOK_EVENTS.length ? 'all events' : events.join(', ')]),
  );
}

export async function addWebhook(
  session: Session,
  url: string,
  options: { on?: string[]; agent?: string },
): Promise<void> {
  const { client, print, json } = session;
  const agentId = options.agent === undefined ? null : (await requireAgent(session, options.agent)).id;
  const body = { url, events: options.on ?? [...WEBHOOK_EVENTS], agentId };
  const made = await client.person<WebhookResource & { secret: string }>('POST', '/app/webhooks', body);
  if (json) return print.json(made);
  print.line(made.secret);
  print.note('This is the only time that the secret is shown: it verifies signatures by Standard Webhooks.');
}

export async function showDeliveries(session: Session, wanted: string): Promise<void> {
  const { client, print, json } = session;
  const { id } = await findWebhook(session, wanted);
  const deliveries = await readAll<WebhookDeliveryResource>(
    (path) => client.person('GET', path),
    `/app/webhooks/${id}/deliveries`,
    DELIVERIES_SHOWN,
  );
  if (json) return print.json(deliveries);
  if (deliveries.length === 0) return print.line('Nothing was sent yet.');
  const clock = openClock();
  print.table(
    [clock.head('When'), 'Event', 'State', 'Tries', 'Answer', 'Id'],
    deliveries.map(({ createdAt, event, state, tries, lastStatus, lastError, id: deliveryId }) => [
      clock.minute(createdAt),
      event,
      state,
      String(tries),
      lastError ?? String(lastStatus ?? ''),
      deliveryId,
    ]),
  );
}

export async function sendAgain(session: Session, wanted: string, deliveryId: string): Promise<void> {
  const { client, print, json } = session;
  const { id } = await findWebhook(session, wanted);
  const path = `/app/webhooks/${id}/deliveries/${encodeURIComponent(deliveryId)}/send-again`;
  const sent = await client.person<unknown>('POST', path, {});
  if (json) return print.json(sent);
  print.line(`It is sent again. See: ${PROGRAM} webhooks deliveries ${id}`);
}

/** @param change of it; null deletes it. */
export async function changeWebhook(
  session: Session,
  wanted: string,
  change: { enabled: boolean } | null,
): Promise<void> {
  const { client, print, json } = session;
  const { id, url } = await findWebhook(session, wanted);
  const path = `/app/webhooks/${id}`;
  const changed = await (change === null
    ? client.person<WebhookResource>('DELETE', path)
    : client.person<WebhookResource>('PATCH', path, change));
  if (json) return print.json(changed);
  print.line(`${url} is ${change === null ? 'deleted' : change.enabled ? 'switched on' : 'switched off'}.`);
}

const readWebhooks = ({ client }: Session) =>
  readAll<WebhookResource>((path) => client.person('GET', path), '/app/webhooks');

/** @param wanted its number in the list, its id, or its address. */
async function findWebhook(session: Session, wanted: string): Promise<WebhookResource> {
  const webhooks = await readWebhooks(session);
  const named = webhooks.filter(({ id, url }) => id === wanted.toLowerCase() || url === wanted);
  if (named.length > 1) throw new Problem(`${named.length} webhooks go to ${wanted}: use the id.`, EXIT.failed);
  const found = named[0] ?? webhooks[Number(wanted) - 1];
  if (!found) throw new Problem(`There is no webhook ${wanted}. See: ${PROGRAM} webhooks`, EXIT.failed);
  return found;
}

function standingOf({ enabled, offReason, failingSince }: WebhookResource): string {
  if (!enabled) return offReason ?? 'switched off';
  return failingSince === null ? 'works' : `fails since ${stamp(failingSince)}`;
}
