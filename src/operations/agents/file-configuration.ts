import type { FileConfiguration } from '../../contract/agent-settings.ts';
import { canonicalJson } from '../../db/convert.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { AgentConfiguration, ToolDefinition } from '../../domain/versions/configuration.ts';

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
  const tool = { id: name, name, description, kind: kindOf(name), parameters, timeoutMs: null, speaksDuring: null };
  return results === undefined ? tool : { ...tool, results: results.map((rule) => ({ tool: name, ...rule })) };
}

/** A file says no more than the name of a tool. */
function kindOf(name: string): ToolDefinition['kind'] {
  if (/(^|_)(transfer|forward|hand_?off|escalate)(_|$)/i.test(name)) return 'transfer';
  if (/(^|_)(end|finish)_?call(_|$)|hang_?up/i.test(name)) return 'end_call';
  return 'other';
}
