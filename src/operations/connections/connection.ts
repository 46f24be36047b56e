import type { ConnectionResource } from '../../contract/connection.ts';
import { type ConnectionView, findConnection } from '../../db/connections/connections.ts';
import type { EntityManager } from '../../db/database.ts';
import { inboundPlatform } from '../../inbound/registry.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { connectionCheckEntry } from '../../temporal/check-connection.ts';
import { Failure } from '../failure.ts';
import type { Parent } from '../operation.ts';
import type { Services } from '../services.ts';

export const connectionParent: Parent<ConnectionView> = {
  param: 'connectionId',
  notFound: 'connection_not_found',
  format: 'uuid',
  async load(em, id, { principal }) {
    return 'workspaceId' in principal ? findConnection(em, id) : null;
  },
};

export function presentConnection(view: ConnectionView, { publicUrl }: Services): ConnectionResource {
  const { id, platform, baseUrl, status, message, agents, checkedAt, createdAt } = view;
  const webhook = presentWebhook(view, publicUrl);
  return { object: 'connection', id, platform, baseUrl, status, message, agents, webhook, checkedAt, createdAt };
}

function presentWebhook(view: ConnectionView, publicUrl: string): ConnectionResource['webhook'] {
  const inbound = inboundPlatform(view.platform);
  if (inbound === null) return null;
  const hasSecret = view.sealedWebhookSecret !== null;
  const isOpen = hasSecret || (inbound.signsWithKey && view.sealedKey !== null);
  return { address: `${publicUrl}/hooks/${view.id}`, hasSecret, isOpen, setUp: inbound.setUp };
}

/** Has a worker look at the platform: the API itself reaches what somebody gave only to play a recording. */
export async function orderCheck(
  em: EntityManager,
  look: { workspaceId: string; connectionId: string; check: number },
): Promise<void> {
  await addToOutbox(em, { entry: connectionCheckEntry(look), workspaceId: look.workspaceId, agentId: null });
}

export async function readBack(
  em: EntityManager,
  services: Services,
  connectionId: string,
): Promise<ConnectionResource> {
  const found = await findConnection(em, connectionId);
  if (!found) throw new Error('A connection that was just written is not there.');
  return presentConnection(found, services);
}

/** Paths are added to it, so that a query or a fragment would swallow them; a password would be shown with it. */
export function checkBaseUrl(baseUrl: string | null | undefined, param = 'baseUrl'): void {
  if (baseUrl == null) return;
  const { username, password } = new URL(baseUrl);
  if (username === '' && password === '' && !/[?#]/.test(baseUrl)) return;
  const message = `${param} must not carry a user name, a password, a query or a fragment.`;
  throw new Failure('invalid_parameter', message, { param });
}
