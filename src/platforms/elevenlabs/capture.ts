import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import { canonicalDocument } from '../canonical.ts';
import { textOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { PlatformError } from '../port.ts';
import { readConfiguration } from './configuration.ts';
import { ELEVENLABS_RECIPE } from './recipe.ts';
import { readObject } from './versions.ts';

const TOOLS_AT_MOST = 100;

/** The agent as it was at one version, with the tools as they are now: those have no versions of their own. */
export async function captureElevenLabs(
  client: PlatformClient,
  connection: PlatformConnection,
  request: { agentId: string; ref: string; digestSecret(secret: string): string },
): Promise<{ document: JsonObject; configuration: AgentConfiguration }> {
  const { agentId, ref, digestSecret } = request;
  const path = `/v1/convai/agents/${encodeURIComponent(agentId)}?version_id=${encodeURIComponent(ref)}`;
  const agent = await readObject(client, connection, path, 'the agent');
  const tools: JsonObject[] = [];
  for (const id of toolIds(agent).slice(0, TOOLS_AT_MOST)) {
    try {
      tools.push(await readObject(client, connection, `/v1/convai/tools/${encodeURIComponent(id)}`, 'a tool'));
    } catch (error) {
      if (!(error instanceof PlatformError && error.kind === 'not_found')) throw error;
    }
  }
  const document = canonicalDocument({ agent, tools }, ELEVENLABS_RECIPE, digestSecret);
  return { document, configuration: readConfiguration({ agent, tools }, document) };
}

/** Tools of the prompt and of every step, each once. */
function toolIds(agent: JsonObject): string[] {
  const ids = new Set<string>();
  const walk = (value: unknown, key: string) => {
    if (Array.isArray(value)) {
      for (const entry of value) {
        if ((key === 'tool_ids' || key === 'additional_tool_ids') && textOf(entry) !== null) ids.add(String(entry));
        else walk(entry, '');
      }
    } else if (isJsonObject(value)) {
      const id = textOf(value.tool_id);
      if (id !== null) ids.add(id);
      for (const [name, entry] of Object.entries(value)) walk(entry, name);
    }
  };
  walk(agent.conversation_config, '');
  walk(agent.workflow, '');
  return [...ids];
}
