import { isJsonObject, type JsonObject } from '../domain/json.ts';
import { idOf } from './ids.ts';
import type { InboundPlatform, NamedCall } from './inbound-platform.ts';
import { hmacHex, isSameText, isWithin, readDigits, readSignatureParts } from './signatures.ts';

const TOLERANCE_MS = 5 * 60_000;
/** The second brings the platform's own analysis; both are over a finished call. */
const NEWS = new Set(['call_ended', 'call_analyzed']);

/** `x-retell-signature: v=<ms>,d=<hex>`, an HMAC under the API key over the body followed by the digits of the time. */
export const retellEvents: InboundPlatform = {
  title: 'Retell',
  signsWithKey: true,
  setUp:
    "Enter this address as the webhook of the agent or the account. Retell signs with the API key that is marked for webhooks; set it as webhookSecret where that is another key than the connection's.",
  isGenuine({ headers, body, secrets, nowMs }) {
    const parts = readSignatureParts(headers['x-retell-signature']);
    const digits = parts?.get('v');
    const timeMs = readDigits(digits);
    const given = parts?.get('d');
    if (digits === undefined || timeMs === null || given === undefined) return false;
    if (!isWithin(timeMs, nowMs, TOLERANCE_MS)) return false;
    return secrets.some((secret) => isSameText(given, hmacHex(secret, [body, digits])));
  },
  read({ event, call }) {
    if (typeof event !== 'string' || !NEWS.has(event) || !isJsonObject(call)) return null;
    const named = callOf(call);
    return named && { kind: event, ...named };
  },
  callOf,
};

/** Chats have ids of their own, and are not read. */
function callOf({ call_id: callId, agent_id: agentId, chat_id: chatId }: JsonObject): NamedCall | null {
  const ids = { call: idOf(callId), agent: idOf(agentId) };
  if (ids.call === null || ids.agent === null || chatId !== undefined) return null;
  return { providerCallId: ids.call, providerAgentIds: [ids.agent] };
}
