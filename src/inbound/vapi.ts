import { isJsonObject, type JsonObject } from '../domain/json.ts';
import { idOf } from './ids.ts';
import type { InboundPlatform } from './inbound-platform.ts';
import { isSameText } from './signatures.ts';

/**
 * A secret in a header, as a bearer token or in the older `X-Vapi-Secret`: the platform signs nothing unless it is told
 * to, so that without a secret nothing is genuine. A replay is not told from the delivery; it only makes us look again.
 */
export const vapiEvents: InboundPlatform = {
  title: 'Vapi',
  signsWithKey: false,
  setUp:
    'Enter this address as the server URL, with a bearer-token credential (or X-Vapi-Secret) that holds the webhookSecret of this connection. Events are refused until one is set.',
  isGenuine({ headers, secrets }) {
    const bearer = /^bearer[ \t]+(\S.*)$/i.exec(headers.authorization?.trim() ?? '')?.[1];
    const shown = [bearer, headers['x-vapi-secret']].filter((text) => text !== undefined);
    return shown.some((text) => secrets.some((secret) => isSameText(text, secret)));
  },
  read({ message }) {
    if (!isJsonObject(message)) return null;
    const { type } = message;
    const isOver = type === 'end-of-call-report' || (type === 'status-update' && message.status === 'ended');
    const providerCallId = idOf(objectAt(message, 'call').id);
    if (!isOver || providerCallId === null) return null;
    return { kind: type, providerCallId, providerAgentIds: agentsOf(message) };
  },
  callOf(call) {
    const providerCallId = idOf(call.id);
    return providerCallId === null ? null : { providerCallId, providerAgentIds: agentsOf({ ...call, call }) };
  },
};

/** A call of a squad counts for the squad where that is connected, else for the assistant that took it. */
function agentsOf(message: JsonObject): string[] {
  const call = objectAt(message, 'call');
  const artifact = objectAt(message, 'artifact');
  const activations = Array.isArray(artifact.assistantActivations) ? artifact.assistantActivations : [];
  const ids = [
    call.squadId,
    objectAt(message, 'squad').id,
    call.assistantId,
    objectAt(message, 'assistant').id,
    ...activations.filter(isJsonObject).map(({ assistantId }) => assistantId),
  ];
  return [...new Set(ids.map(idOf).filter((id) => id !== null))].slice(0, 50);
}

function objectAt(parent: JsonObject, name: string): JsonObject {
  const value = parent[name];
  return isJsonObject(value) ? value : {};
}
