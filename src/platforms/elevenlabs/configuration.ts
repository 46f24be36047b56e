import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type {
  AgentConfiguration,
  KnowledgeSource,
  NodeDefinition,
  ToolDefinition,
} from '../../domain/versions/configuration.ts';
import { shortText, textOf } from '../lenient.ts';
import { readSettings, readVariables } from '../settings.ts';
import { outgoingEdges } from './edges.ts';
import { agentBody, toolBody, toolConfig, workflowNode } from './payloads.ts';

export interface CapturedAgent {
  agent: JsonObject;
  /** Tools live in the workspace, apart from the agent, and have no versions. */
  tools: JsonObject[];
}

/** Paths of the document that have a place of their own among the changes. */
const TOLD = [
  'agent.name',
  'agent.conversation_config.agent.first_message',
  'agent.conversation_config.agent.language',
  'agent.conversation_config.agent.dynamic_variables',
  'agent.conversation_config.agent.prompt.prompt',
  'agent.conversation_config.agent.prompt.llm',
  'agent.conversation_config.agent.prompt.tool_ids',
  'agent.conversation_config.agent.prompt.knowledge_base',
  'agent.conversation_config.tts.voice_id',
  'agent.workflow.nodes',
  'agent.workflow.edges',
  'tools',
];

/** Our reading of a captured agent; parts that can't be read stay empty, never wrong. */
export function readConfiguration({ agent, tools }: CapturedAgent, document: JsonObject): AgentConfiguration {
  const body = agentBody.parse(agent);
  const config = body.conversation_config ?? {};
  const own = objectAt(config, 'agent');
  const prompt = objectAt(own, 'prompt');
  const nodes = readNodes(body.workflow ?? {}, tools);
  return {
    name: body.name ?? 'Unnamed agent',
    kind: nodes.length > 1 ? 'flow' : 'prompt',
    language: shortText(own.language, 35),
    prompt: textOf(prompt.prompt),
    firstMessage: textOf(own.first_message) || null,
    model: textOf(prompt.llm),
    voice: textOf(objectAt(config, 'tts').voice_id),
    tools: [...tools.flatMap(toTool), ...builtInTools(objectAt(prompt, 'built_in_tools'))],
    nodes,
    startNodeId: nodes.find(({ kind }) => kind === 'start')?.id ?? null,
    variables: readVariables(placeholders(own), agent),
    knowledge: readKnowledge(prompt.knowledge_base),
    settings: readSettings(document, TOLD),
  };
}

function placeholders(own: JsonObject): Record<string, string | null> {
  const given = objectAt(objectAt(own, 'dynamic_variables'), 'dynamic_variable_placeholders');
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function readNodes(workflow: JsonObject, tools: readonly JsonObject[]): NodeDefinition[] {
  return Object.entries(objectAt(workflow, 'nodes')).flatMap(([id, value]): NodeDefinition[] => {
    const read = workflowNode.safeParse(value);
    if (!read.success) return [];
    const node = read.data;
    return [
      {
        id,
        label: node.label ?? id,
        kind: node.type ?? 'unknown',
        text: node.additional_prompt || null,
        toolName: toolNameOf(node.tools, tools),
        edges: outgoingEdges(workflow, id).map(({ target, forward_condition }) => ({
          to: target,
          condition: conditionOf(forward_condition),
        })),
      },
    ];
  });
}

function toolNameOf(entries: readonly unknown[] | null, tools: readonly JsonObject[]): string | null {
  const [first] = entries ?? [];
  const id = isJsonObject(first) ? textOf(first.tool_id) : null;
  const tool = tools.find((one) => one.id === id);
  return tool === undefined ? null : textOf(objectAt(tool, 'tool_config').name);
}

function conditionOf(condition: JsonObject | null): string | null {
  if (condition === null || condition.type === 'unconditional') return null;
  return textOf(condition.condition) ?? textOf(condition.label) ?? JSON.stringify(condition).slice(0, 2_000);
}

function toTool(entry: JsonObject): ToolDefinition[] {
  const body = toolBody.parse(entry);
  const config = toolConfig.parse(body.tool_config ?? {});
  if (config.name === null) return [];
  const seconds = config.response_timeout_secs;
  return [
    {
      id: body.id ?? config.name,
      name: config.name,
      description: config.description ?? '',
      kind: 'other',
      parameters: parametersOf(config.api_schema, config.parameters),
      timeoutMs: seconds === null ? null : Math.round(seconds * 1000),
      speaksDuring: config.force_pre_tool_speech,
    },
  ];
}

/** Of a webhook the caller of the tool fills body, query and path; together they are its arguments. */
function parametersOf(schema: JsonObject | null, parameters: JsonObject | null): JsonObject | null {
  if (parameters !== null) return parameters;
  if (schema === null) return null;
  const parts = [objectAt(schema, 'request_body_schema'), objectAt(schema, 'query_params_schema')];
  const path = objectAt(schema, 'path_params_schema');
  const properties: JsonObject = Object.assign({}, ...parts.map((part) => objectAt(part, 'properties')), path);
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []));
  if (Object.keys(properties).length === 0) return null;
  return { type: 'object', properties, required: [...required, ...Object.keys(path)] };
}

function builtInTools(builtIn: JsonObject): ToolDefinition[] {
  return Object.entries(builtIn).flatMap(([key, value]): ToolDefinition[] => {
    if (!isJsonObject(value)) return [];
    const name = shortText(value.name) ?? key;
    const kind = key === 'end_call' ? 'end_call' : key === 'transfer_to_number' ? 'transfer' : 'other';
    const description = textOf(value.description) ?? '';
    return [{ id: name, name, description, kind, parameters: null, timeoutMs: null, speaksDuring: null }];
  });
}

function readKnowledge(value: unknown): KnowledgeSource[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    if (!isJsonObject(entry)) return [];
    const id = shortText(entry.id);
    return id === null ? [] : [{ id, label: shortText(entry.name) ?? id, digest: null }];
  });
}

function objectAt(parent: JsonObject, name: string): JsonObject {
  const value = parent[name];
  return isJsonObject(value) ? value : {};
}
