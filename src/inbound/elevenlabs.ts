import { isJsonObject, type JsonObject } from '../domain/json.ts';
import { idOf } from './ids.ts';
import type { InboundPlatform, NamedCall } from './inbound-platform.ts';
import { hmacHex, isSameText, isWithin, readDigits, readSignatureParts } from './signatures.ts';

const TOLERANCE_MS = 30 * 60_000;
/** Audio is sent apart and is no news: the conversation can be read without it. */
const NEWS = new Set(['post_call_transcription', 'call_initiation_failure']);

/** `ElevenLabs-Signature: t=<s>,v0=<hex>`, an HMAC under the webhook's secret over the time, a dot and the body. */
export const elevenLabsEvents: InboundPlatform = {
  title: 'ElevenLabs',
  signsWithKey: false,
  setUp:
    'Make a webhook with this address in the workspace settings, and set the secret that it shows as webhookSecret of this connection. Events are refused until one is set.',
  isGenuine({ headers, body, secrets, nowMs }) {
    const parts = readSignatureParts(headers['elevenlabs-signature']);
    const digits = parts?.get('t');
    const timeS = readDigits(digits);
    const given = parts?.get('v0');
    if (digits === undefined || timeS === null || given === undefined) return false;
    if (!isWithin(timeS * 1000, nowMs, TOLERANCE_MS)) return false;
    return secrets.some((secret) => isSameText(given, hmacHex(secret, [`${digits}.`, body])));
  },
  read({ type, data }) {
    if (typeof type !== 'string' || !NEWS.has(type) || !isJsonObject(data)) return null;
    const named = callOf(data);
    return named && { kind: type, ...named };
  },
  callOf,
};

function callOf(call: JsonObject): NamedCall | null {
  const providerCallId = idOf(call.conversation_id);
  const agentId = idOf(call.agent_id);
  return providerCallId === null || agentId === null ? null : { providerCallId, providerAgentIds: [agentId] };
}
