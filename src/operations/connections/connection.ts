import type { ConnectionResource } from '../../contract/connection.ts';
import { type ConnectionView, findConnection } from '../../db/connections/connections.ts';
import type { EntityManager } from '../../db/database.ts';
import { countSentSpans, type LeftOfConnection, leftSpans } from '../../db/spans/sent-spans.ts';
import { dialectNamed } from '../../domain/spans/dialects.ts';
import { adviceFor, sayLeft } from '../../domain/spans/left-spans.ts';
import { sendsCalls } from '../../domain/vocabulary.ts';
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

/** With the spans that came in over each. */
export async function presentConnections(
  em: EntityManager,
  views: readonly ConnectionView[],
  { publicUrl }: Services,
): Promise<ConnectionResource[]> {
  const sent = await sentOver(
    em,
    views.filter(({ platform }) => sendsCalls(platform)).map(({ id }) => id),
  );
  return views.map((view) => {
    const { id, platform, baseUrl, status, message, agents, checkedAt, createdAt } = view;
    const webhook = presentWebhook(view, publicUrl);
    const spans = sent.get(id) ?? null;
    const about = { id, platform, baseUrl, status, message, agents, webhook, spans, checkedAt, createdAt };
    return { object: 'connection', ...about };
  });
}

export async function presentConnection(
  em: EntityManager,
  view: ConnectionView,
  services: Services,
): Promise<ConnectionResource> {
  const [presented] = await presentConnections(em, [view], services);
  if (!presented) throw new Error('A connection that was given is not presented.');
  return presented;
}

/** By connection. */
async function sentOver(em: EntityManager, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, ConnectionResource['spans']>();
  const [counts, left] = [await countSentSpans(em, ids), await leftSpans(em, ids)];
  return new Map(
    counts.map(({ connectionId, ...count }): [string, ConnectionResource['spans']] => {
      const own = left.filter((one) => one.connectionId === connectionId);
      return [connectionId, { ...count, left: own.map(presentLeft) }];
    }),
  );
}

function presentLeft({ reason, library, spans, traces, lastAt }: LeftOfConnection) {
  const says = sayLeft({ reason, library, spans });
  return { reason, library, spans, traces, lastAt, says, advice: adviceFor(reason, dialectNamed(library)) };
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
  return presentConnection(em, found, services);
}

/** Paths are added to it, so that a query or a fragment would swallow them; a password would be shown with it. */
export function checkBaseUrl(baseUrl: string | null | undefined, param = 'baseUrl'): void {
  if (baseUrl == null) return;
  const { username, password } = new URL(baseUrl);
  if (username === '' && password === '' && !/[?#]/.test(baseUrl)) return;
  const message = `${param} must not carry a user name, a password, a query or a fragment.`;
  throw new Failure('invalid_parameter', message, { param });
}
