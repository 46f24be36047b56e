import { randomBytes } from 'node:crypto';
import type { WebhookDeliveryResource, WebhookResource } from '../../contract/webhook.ts';
import { findReachableAgent } from '../../db/agents/read-agents.ts';
import type { EntityManager } from '../../db/database.ts';
import { type DeliveryView, findDelivery } from '../../db/webhooks/delivery-log.ts';
import { findWebhook, type WebhookView } from '../../db/webhooks/webhooks.ts';
import type { WebhookEvent } from '../../domain/vocabulary.ts';
import { Failure } from '../failure.ts';
import type { Context, Parent } from '../operation.ts';
import { reachOf } from '../principal.ts';

export const webhookParent: Parent<WebhookView> = {
  param: 'webhookId',
  notFound: 'webhook_not_found',
  format: 'uuid',
  async load(em, id, { principal }) {
    return principal.kind === 'person' ? findWebhook(em, principal.workspaceId, id) : null;
  },
};

/** Within the workspace in scope; whoever uses it holds it against the webhook of the path with `deliveryOf`. */
export const deliveryParent: Parent<DeliveryView> = {
  param: 'deliveryId',
  notFound: 'delivery_not_found',
  format: 'uuid',
  async load(em, id, { principal }) {
    return principal.kind === 'person' ? findDelivery(em, id) : null;
  },
};

/** @throws Failure where the delivery of the path belongs to another webhook than that of the path. */
export function deliveryOf(context: Context): DeliveryView {
  const delivery = context.parent(deliveryParent);
  if (delivery.webhookId !== context.parent(webhookParent).id) {
    throw new Failure('delivery_not_found', 'There is no delivery like this here.');
  }
  return delivery;
}

export function presentWebhook(view: WebhookView): WebhookResource {
  const { id, url, events, agentId, enabled, offReason, failingSince, previousSecretEndsAt, pending } = view;
  const { createdAt, updatedAt } = view;
  const since = { failingSince, previousSecretEndsAt, pending, createdAt, updatedAt };
  return { object: 'webhook', id, url, events, agentId, enabled, offReason, ...since };
}

export function presentDelivery(view: DeliveryView): WebhookDeliveryResource {
  const { id, webhookId, agentId, state, tries, again, lastStatus, lastError, hasBody } = view;
  // What is told together, or as a trial, goes to channels alone.
  const event = view.event as WebhookEvent;
  const { lastTriedAt, nextTryAt, deliveredAt, createdAt } = view;
  const what = { id, webhookId, agentId, event, state, tries, sentAgain: again, lastStatus, lastError };
  const times = { lastTriedAt, nextTryAt, deliveredAt, createdAt };
  return { object: 'webhook_delivery', ...what, ...times, canBeSentAgain: hasBody };
}

/** What Standard Webhooks asks for: 24 to 64 random bytes, in base64 behind a prefix. */
export const newWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

/** The same at save as at each connect, so that a mistake shows while a person looks. @throws Failure */
export async function checkAddress({ services, person }: Context, url: string, param = 'url'): Promise<void> {
  const refusal = await services.receivers.refusal(url, person().workspaceId);
  if (refusal !== null) throw new Failure('invalid_parameter', refusal, { param });
}

/** @throws Failure for an agent of nobody here, and for a shared demo agent, whose events belong to no workspace's webhooks. */
export async function checkAgent(context: Context, given: string | null | undefined): Promise<string | null> {
  if (given == null) return null;
  const agentId = given.toLowerCase();
  const agent = await findReachableAgent(context.em, reachOf(context.person()), agentId);
  if (!agent) {
    throw new Failure('agent_not_found', 'There is no agent with this id that you can reach.', { param: 'agentId' });
  }
  if (agent.readOnly) {
    throw new Failure('demo_read_only', 'The shared demo agent tells no webhook. Copy it first.', { param: 'agentId' });
  }
  return agentId;
}

export async function readBack(em: EntityManager, workspaceId: string, id: string): Promise<WebhookResource> {
  const found = await findWebhook(em, workspaceId, id);
  if (!found) throw new Error('A webhook that was just written is not there.');
  return presentWebhook(found);
}
