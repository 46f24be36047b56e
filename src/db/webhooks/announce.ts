import { envelopeBody } from '../../domain/delivery/envelope.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { MessageEvent } from '../../domain/vocabulary.ts';
import { enqueueMessages, type ListeningChannel, listeningChannels } from '../channels/enqueue-messages.ts';
import type { EntityManager } from '../database.ts';
import { enqueueFor, type Listener, listeners } from './deliveries.ts';

/** Something that happened to an agent, for programs and for people. */
export interface Announcement {
  event: MessageEvent;
  /** What it tells of, such as `run:<id>`: the same event reaches an address once. */
  eventKey: string;
  /** ISO 8601. */
  at: string;
  data: JsonObject;
  /** The people whom it concerns, for their own channels; left out: whoever asked to hear of it. */
  personIds?: readonly string[];
}

/** Who is told: webhooks and channels of the agent's workspace. */
export interface Audience {
  workspaceId: string;
  webhooks: Listener[];
  channels: ListeningChannel[];
}

/** Two small looks, mostly at nothing. @returns null where nobody asked to be told. */
export async function findAudience(
  em: EntityManager,
  agentId: string,
  events: readonly MessageEvent[],
): Promise<Audience | null> {
  const webhooks = await listeners(em, agentId, events);
  const channels = await listeningChannels(em, agentId);
  const workspaceId = webhooks[0]?.workspaceId ?? channels[0]?.workspaceId;
  return workspaceId === undefined ? null : { workspaceId, webhooks, channels };
}

/** Tells of what happened, in the transaction in which it did: told twice, each still hears of it once. */
export async function announce(em: EntityManager, agentId: string, told: readonly Announcement[]): Promise<void> {
  const audience = await findAudience(em, agentId, [...new Set(told.map(({ event }) => event))]);
  if (audience !== null) await announceTo(em, audience, agentId, told);
}

export async function announceTo(
  em: EntityManager,
  { workspaceId, webhooks, channels }: Audience,
  agentId: string,
  told: readonly Announcement[],
): Promise<void> {
  const messages = told.map(({ event, eventKey, at, data }) => ({
    event,
    eventKey,
    body: envelopeBody(event, at, data),
  }));
  await enqueueFor(em, { workspaceId, agentId }, webhooks, messages);
  const notices = told.map(({ data: facts, personIds = null, ...one }) => ({ ...one, agentId, facts, personIds }));
  await enqueueMessages(em, channels, notices);
}
