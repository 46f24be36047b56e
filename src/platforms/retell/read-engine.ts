import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { numberOf, textOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { PlatformError } from '../port.ts';

/** How Retell names an engine of each kind. */
export const ENGINES = {
  'conversation-flow': {
    id: 'conversation_flow_id',
    create: '/create-conversation-flow',
    list: '/v2/list-conversation-flows?limit=100',
    remove: '/delete-conversation-flow/',
  },
  'retell-llm': {
    id: 'llm_id',
    create: '/create-retell-llm',
    list: '/v2/list-retell-llms?limit=100',
    remove: '/delete-retell-llm/',
  },
} as const;
export type EngineKind = keyof typeof ENGINES;

/** The engine of one version of an agent as the platform holds it, secrets too, and where it is written. */
export interface RetellEngine {
  /** The agent itself at that version. */
  agent: JsonObject;
  kind: EngineKind;
  body: JsonObject;
  updatePath: string;
}

export async function readRetellEngine(
  client: PlatformClient,
  connection: PlatformConnection,
  { providerAgentId, version }: { providerAgentId: string; version: number },
): Promise<RetellEngine> {
  const read = async (path: string): Promise<JsonObject> => {
    const body = await client.send(connection, { method: 'GET', path, doing: "reading the agent's text" });
    if (isJsonObject(body)) return body;
    throw new PlatformError('bad_answer', "The answer to reading the agent's text was no object.");
  };
  const agent = await read(`/get-agent/${encodeURIComponent(providerAgentId)}?version=${version}`);
  const engine = isJsonObject(agent.response_engine) ? agent.response_engine : {};
  const at = `?version=${numberOf(engine.version) ?? version}`;
  const flowId = textOf(engine.conversation_flow_id);
  if (flowId !== null) {
    const id = encodeURIComponent(flowId);
    return {
      agent,
      kind: 'conversation-flow',
      body: await read(`/get-conversation-flow/${id}${at}`),
      updatePath: `/update-conversation-flow/${id}${at}`,
    };
  }
  const llmId = textOf(engine.llm_id);
  if (llmId !== null) {
    const id = encodeURIComponent(llmId);
    return {
      agent,
      kind: 'retell-llm',
      body: await read(`/get-retell-llm/${id}${at}`),
      updatePath: `/update-retell-llm/${id}${at}`,
    };
  }
  throw new PlatformError(
    'rejected',
    "The agent's language model runs on a server of its own: it has no text to write.",
  );
}
