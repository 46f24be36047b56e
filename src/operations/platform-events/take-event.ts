import { createHash } from 'node:crypto';
import { type ConnectionView, findConnection } from '../../db/connections/connections.ts';
import type { EntityManager } from '../../db/database.ts';
import { erasedRefs } from '../../db/erasures/tombstones.ts';
import { followedAgent, noteAnnounced } from '../../db/imports/announced-calls.ts';
import { connectionKeyPlace, connectionSecretPlace } from '../../db/secrets/sealed-places.ts';
import { workspaceOfConnection } from '../../db/system/hooks.ts';
import type { InboundPlatform } from '../../inbound/inbound-platform.ts';
import { inboundPlatform } from '../../inbound/registry.ts';
import { UnknownSecretError } from '../../secrets.ts';
import { coordinatorOf } from '../../services/agents/coordinator-input.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { pollEntry } from '../../temporal/agent-coordinator.ts';
import { Failure } from '../failure.ts';
import { readId } from '../params.ts';
import type { Services } from '../services.ts';
import { readDocument } from './read-document.ts';
import { readEvent } from './read-event.ts';

/** Whether an event has its call fetched; else why not, in a sentence. */
export type TakenEvent = { taken: true } | { taken: false; reason: string };

const NOT_FOLLOWED =
  'No agent of this connection that the call names is followed: connect it, and import its calls once.';

export interface InboundEvent {
  /** As it stands in the address. */
  connectionId: string;
  headers: Readonly<Record<string, string | undefined>>;
  /** Read only once the connection is known. @throws Failure `invalid_body` when it is too large. */
  readBody(): Promise<Uint8Array>;
}

/**
 * Takes an event that a platform sent to a connection's address. One about a finished call of an agent that is followed
 * has the agent's coordinator fetch it: told and ordered in one transaction. Everything else that is genuine changes nothing.
 * @throws Failure 404 for an unknown address, 401 for what is not genuine, 400 for what is and cannot be read.
 */
export async function takeEvent(services: Services, event: InboundEvent): Promise<TakenEvent> {
  const { em, workspaceId, connection, platform } = await openConnection(services, event.connectionId);
  const body = await event.readBody();
  const delivery = {
    headers: event.headers,
    body,
    secrets: secretsOf(services, workspaceId, connection, platform),
    nowMs: services.now().getTime(),
  };
  if (!platform.isGenuine(delivery)) throw notGenuine(delivery.secrets.length > 0);
  // Of a genuine event only: what a stranger sent is never parsed.
  const read = await readEvent(connection.platform, platform, readDocument(event.headers, body));
  if ('reason' in read) return { taken: false, reason: read.reason };
  const announced = read.event;
  const agent = await followedAgent(em, connection.id, announced.providerAgentIds);
  if (!agent) return { taken: false, reason: NOT_FOLLOWED };

  const erased = await erasedRefs(em, services.vault, agent, [announced.providerCallId]);
  if (erased.size > 0) return { taken: false, reason: 'The call was erased, and is not fetched again.' };

  const digest = createHash('sha256')
    .update(JSON.stringify([connection.platform, announced.providerCallId, announced.kind]))
    .update(body)
    .digest('base64url');
  await em.transactional(async (transaction) => {
    const { agentId, workspaceId } = agent;
    const isNews = await noteAnnounced(transaction, {
      agentId,
      workspaceId,
      providerCallId: announced.providerCallId,
      digest,
    });
    if (!isNews) return;
    const entry = pollEntry(coordinatorOf(agent, services.polling), { messageId: `hook/${digest}` });
    await addToOutbox(transaction, { entry, workspaceId, agentId });
  });
  return { taken: true };
}

async function openConnection(services: Services, id: string): Promise<Opened> {
  const connectionId = readIdOrNull(id);
  const { database } = services;
  const workspaceId = connectionId && (await workspaceOfConnection(database.unscoped(), connectionId));
  const em = workspaceId ? database.within(workspaceId) : null;
  const connection = em && connectionId ? await findConnection(em, connectionId) : null;
  const platform = connection && inboundPlatform(connection.platform);
  if (!workspaceId || !em || !connection || !platform) {
    throw new Failure('connection_not_found', 'There is no connection with this address that takes events.');
  }
  return { em, workspaceId, connection, platform };
}
interface Opened {
  em: EntityManager;
  workspaceId: string;
  connection: ConnectionView;
  platform: InboundPlatform;
}

function readIdOrNull(text: string): string | null {
  try {
    return readId(text);
  } catch {
    return null;
  }
}

function secretsOf(
  { vault }: Services,
  workspaceId: string,
  { id, sealedKey, sealedWebhookSecret }: ConnectionView,
  { signsWithKey }: InboundPlatform,
): string[] {
  try {
    if (sealedWebhookSecret !== null) return [vault.open(sealedWebhookSecret, connectionSecretPlace(workspaceId, id))];
    return signsWithKey && sealedKey !== null ? [vault.open(sealedKey, connectionKeyPlace(workspaceId, id))] : [];
  } catch (error) {
    if (!(error instanceof UnknownSecretError)) throw error;
    const message =
      'What this connection checks signatures by was sealed under another EARSHOT_SECRET. Enter it anew, or name that secret in EARSHOT_SECRET_EARLIER.';
    throw new Failure('invalid_signature', message);
  }
}

function notGenuine(hasSecret: boolean): Failure {
  const why = hasSecret
    ? 'The signature is missing, wrong or too old.'
    : 'This connection has no webhook secret yet, so no event can be told from a forged one. Set one: PATCH /app/connections/<id> {"webhookSecret": "…"}.';
  return new Failure('invalid_signature', why);
}
