import type { FileConfiguration } from '../../contract/agent-settings.ts';
import { canonicalJson } from '../../db/convert.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { AgentConfiguration, ToolDefinition } from '../../domain/versions/configuration.ts';
import { toolKindOf } from '../../domain/versions/tool-kind.ts';

type GivenTool = NonNullable<FileConfiguration['tools']>[number];

/** Reads prompt and tools as the analysis knows them. */
export function toConfiguration(given: FileConfiguration, name: string): AgentConfiguration {
  return {
    name,
    language: null,
    prompt: given.prompt ?? null,
    firstMessage: given.firstMessage ?? null,
    model: null,
    voice: null,
    tools: (given.tools ?? []).map(toTool),
    nodes: [],
    startNodeId: null,
    variables: {},
  };
}

/** What the version's hash is taken of. */
export function toDocument({ prompt, firstMessage, tools }: FileConfiguration): JsonObject {
  const document = { prompt: prompt ?? null, firstMessage: firstMessage ?? null, tools: (tools ?? []).map(bare) };
  return JSON.parse(canonicalJson(document));
}

const bare = (tool: GivenTool) => ('function' in tool ? tool.function : tool);

function toTool(given: GivenTool): ToolDefinition {
  const { name, description = '', parameters = null, results } = bare(given);
  const tool = { id: name, name, description, kind: toolKindOf(name), parameters, timeoutMs: null, speaksDuring: null };
  return results === undefined ? tool : { ...tool, results: results.map((rule) => ({ tool: name, ...rule })) };
}
