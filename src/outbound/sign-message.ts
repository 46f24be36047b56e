import { Webhook } from 'standardwebhooks';

/**
 * The `webhook-signature` of Standard Webhooks, one signature for each secret.
 * @param secrets `whsec_` and base64, the newest first. @throws on one that is none.
 */
export function signMessage(secrets: readonly string[], message: { id: string; at: Date; body: string }): string {
  return secrets.map((secret) => new Webhook(secret).sign(message.id, message.at, message.body)).join(' ');
}
