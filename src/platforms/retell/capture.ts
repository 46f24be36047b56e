import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { canonicalDocument } from '../canonical.ts';
import { numberOf, shortText, textOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { type CapturedVersion, PlatformError } from '../port.ts';
import { readConfiguration } from './configuration.ts';
import { RETELL_RECIPE } from './recipe.ts';
import { listRetellVersions } from './versions.ts';

const SHARED_COMPONENTS = 20;

export interface CaptureRequest {
  client: PlatformClient;
  connection: PlatformConnection;
  providerAgentId: string;
  version: number;
  digestSecret(secret: string): string;
}

/**
 * Reads agent and engine at one version. An agent whose language model runs on the customer's own server has no
 * readable engine: its prompt and tools stay unknown.
 */
export async function captureRetellVersion(request: CaptureRequest): Promise<CapturedVersion> {
  const { providerAgentId, version, digestSecret } = request;
  const agent = await read(
    request,
    `/get-agent/${encodeURIComponent(providerAgentId)}?version=${version}`,
    'the agent',
  );
  const engine = await readEngine(request, isJsonObject(agent.response_engine) ? agent.response_engine : {});
  const components = await readSharedComponents(request, engine);
  const listed = await listRetellVersions(request.client, request.connection, providerAgentId);
  const document = canonicalDocument({ agent, engine: engine ?? {}, components }, RETELL_RECIPE, digestSecret);
  return {
    version,
    providerRef: shortText(agent.version_title),
    isCurrent: listed.some((entry) => entry.version === version && entry.isCurrent),
    changedAt: changedAt(agent, engine),
    document,
    configuration: readConfiguration({ agent, engine, components }, document),
  };
}

async function readEngine(request: CaptureRequest, engine: JsonObject): Promise<JsonObject | null> {
  const version = numberOf(engine.version) ?? request.version;
  const flowId = textOf(engine.conversation_flow_id);
  if (flowId !== null) {
    return await read(
      request,
      `/get-conversation-flow/${encodeURIComponent(flowId)}?version=${version}`,
      "the agent's flow",
    );
  }
  const llmId = textOf(engine.llm_id);
  if (llmId !== null) {
    return await read(request, `/get-retell-llm/${encodeURIComponent(llmId)}?version=${version}`, "the agent's prompt");
  }
  return null;
}

/** Components that several flows share live beside the flow and have no versions of their own. */
async function readSharedComponents(request: CaptureRequest, engine: JsonObject | null): Promise<JsonObject[]> {
  const nodes = Array.isArray(engine?.nodes) ? engine.nodes.filter(isJsonObject) : [];
  const ids = nodes
    .filter((node) => node.type === 'component' && node.component_type === 'shared')
    .map((node) => textOf(node.component_id))
    .filter((id) => id !== null);
  const components: JsonObject[] = [];
  for (const id of [...new Set(ids)].toSorted().slice(0, SHARED_COMPONENTS)) {
    components.push(
      await read(request, `/get-conversation-flow-component/${encodeURIComponent(id)}`, 'a shared component'),
    );
  }
  return components;
}

async function read({ client, connection }: CaptureRequest, path: string, what: string): Promise<JsonObject> {
  const body = await client.send(connection, { method: 'GET', path, doing: `reading ${what}` });
  if (isJsonObject(body)) return body;
  throw new PlatformError('bad_answer', `The answer to reading ${what} was no object.`);
}

function changedAt(agent: JsonObject, engine: JsonObject | null): string | null {
  const times = [numberOf(agent.last_modification_timestamp), numberOf(engine?.last_modification_timestamp)];
  const latestMs = Math.max(...times.map((time) => time ?? 0));
  return latestMs > 0 && latestMs < 8.64e15 ? new Date(latestMs).toISOString() : null;
}
