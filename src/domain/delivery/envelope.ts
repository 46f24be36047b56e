import type { JsonObject } from '../json.ts';
import type { WebhookEvent } from '../vocabulary.ts';

/**
 * The body of every event but `run.completed`, which is the bare result document: what happened, when, and what it
 * happened to. The text is what is signed and sent, to the byte.
 * @param timestamp ISO 8601, when it happened.
 */
export function envelopeBody(event: WebhookEvent, timestamp: string, data: JsonObject): string {
  return JSON.stringify({ type: event, timestamp, data });
}
