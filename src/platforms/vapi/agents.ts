import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { idOf, shortText } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { type PlatformAgent, PlatformError } from '../port.ts';

const MOST_AGENTS = 1_000;

/** Assistants and squads: both take calls under an id of their own. */
export async function listVapiAgents(client: PlatformClient, connection: PlatformConnection): Promise<PlatformAgent[]> {
  const assistants = await readList(client, connection, 'assistant', 'assistants');
  const squads = await readList(client, connection, 'squad', 'squads');
  return [
    ...assistants.map((item) => toAgent(item, 'Assistant')),
    ...squads.map((item) => toAgent(item, 'Squad')),
  ].filter((agent) => agent !== null);
}

async function readList(
  client: PlatformClient,
  connection: PlatformConnection,
  noun: 'assistant' | 'squad',
  plural: string,
): Promise<JsonObject[]> {
  const path = `/${noun}?limit=${MOST_AGENTS}`;
  const body = await client.send(connection, { method: 'GET', path, doing: `listing ${plural}`, items: MOST_AGENTS });
  if (!Array.isArray(body)) {
    throw new PlatformError('bad_answer', `The list of ${plural} did not have the documented shape.`);
  }
  return body.filter(isJsonObject);
}

function toAgent(item: JsonObject, noun: string): PlatformAgent | null {
  const providerAgentId = idOf(item.id);
  if (providerAgentId === null) return null;
  return { providerAgentId, name: shortText(item.name) ?? `${noun} ${providerAgentId}` };
}

export type VapiAgentKind = 'assistant' | 'squad';

/** An id says nothing about what it names, so the assistant is asked for first. */
export async function kindOfAgent(
  client: PlatformClient,
  connection: PlatformConnection,
  id: string,
): Promise<VapiAgentKind> {
  return (await readAgent(client, connection, id)).kind;
}

/** @throws PlatformError of kind `not_found` when neither an assistant nor a squad has this id. */
export async function readAgent(
  client: PlatformClient,
  connection: PlatformConnection,
  id: string,
): Promise<{ kind: VapiAgentKind; body: JsonObject }> {
  const read = async (kind: VapiAgentKind) => {
    const path = `/${kind}/${encodeURIComponent(id)}`;
    const body = await client.send(connection, { method: 'GET', path, doing: `reading the ${kind}` });
    if (!isJsonObject(body)) throw new PlatformError('bad_answer', `The ${kind} that Vapi sent is no object.`);
    return { kind, body };
  };
  try {
    return await read('assistant');
  } catch (error) {
    if (!(error instanceof PlatformError && error.kind === 'not_found')) throw error;
    return await read('squad');
  }
}
