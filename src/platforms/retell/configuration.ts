import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type {
  AgentConfiguration,
  KnowledgeSource,
  NodeDefinition,
  ToolDefinition,
} from '../../domain/versions/configuration.ts';
import { shortText, textOf } from '../lenient.ts';
import { readSettings } from '../settings.ts';
import {
  type RetellNode,
  retellAgent,
  retellFlow,
  retellLlm,
  retellNode,
  retellState,
  retellTool,
} from './payloads.ts';

interface Captured {
  agent: JsonObject;
  /** Null for an agent whose language model runs on the customer's own server. */
  engine: JsonObject | null;
  components: JsonObject[];
}

/** Paths of the document that have a place of their own among the changes. */
const TOLD = [
  'agent.agent_name',
  'agent.language',
  'agent.voice_id',
  'agent.response_engine',
  'engine.global_prompt',
  'engine.general_prompt',
  'engine.begin_message',
  'engine.model',
  'engine.s2s_model',
  'engine.model_choice.model',
  'engine.nodes',
  'engine.tools',
  'engine.general_tools',
  'engine.states',
  'engine.components',
  'engine.start_node_id',
  'engine.starting_state',
  'engine.default_dynamic_variables',
  'engine.knowledge_base_ids',
  'components',
];

/** Our reading of a captured version with the document of it; parts that can't be read stay empty, never wrong. */
export function readConfiguration(
  { agent, engine, components }: Captured,
  document: JsonObject = {},
): AgentConfiguration {
  const settings = retellAgent.parse(agent);
  const common = {
    name: settings.agent_name ?? 'Unnamed agent',
    language: readLanguage(agent.language),
    voice: settings.voice_id,
    knowledge: readKnowledge(engine, components),
    settings: readSettings(document, TOLD),
  };
  const isFlow = engine !== null && (Array.isArray(engine.nodes) || 'global_prompt' in engine);
  if (engine === null) return { ...common, kind: 'own_model', ...readLlm({}) };
  if (isFlow) return { ...common, kind: 'flow', ...readFlow(engine, components) };
  const read = readLlm(engine);
  return { ...common, kind: read.nodes.length > 0 ? 'states' : 'prompt', ...read };
}

type EngineReading = Omit<AgentConfiguration, 'name' | 'kind' | 'language' | 'voice' | 'knowledge' | 'settings'>;

/** Only the references: what a knowledge base holds is not shown. */
function readKnowledge(engine: JsonObject | null, components: readonly JsonObject[]): KnowledgeSource[] {
  const ids = [engine ?? {}, ...components].flatMap(({ knowledge_base_ids: ids }) => (Array.isArray(ids) ? ids : []));
  const known = ids.map((id) => shortText(id)).filter((id) => id !== null);
  return [...new Set(known)].map((id) => ({ id, label: id, digest: null }));
}

function readFlow(engine: JsonObject, shared: JsonObject[]): EngineReading {
  const flow = retellFlow.parse(engine);
  const parts = [engine, ...(flow.components ?? []).filter(isJsonObject), ...shared];
  const tools = parts.flatMap((part) => readTools(part.tools));
  const toolNames = new Map(tools.map((tool) => [tool.id, tool.name]));
  const nodes = parts.flatMap((part) => readNodes(part.nodes)).map((node) => toNode(node, toolNames));
  const start = nodes.find((node) => node.id === flow.start_node_id);
  return {
    prompt: flow.global_prompt,
    firstMessage: flow.start_speaker === 'user' ? null : (start?.text ?? null),
    model: textOf(flow.model_choice?.model),
    tools: [...tools, ...transferTools(nodes)],
    nodes,
    startNodeId: flow.start_node_id,
    variables: readVariables(flow.default_dynamic_variables, engine),
  };
}

function readLlm(engine: JsonObject): EngineReading {
  const llm = retellLlm.parse(engine);
  const states = (llm.states ?? []).flatMap((entry) => {
    const state = retellState.safeParse(entry);
    return state.success ? [state.data] : [];
  });
  const nodes = states.map((state) => ({
    id: state.name,
    label: state.name,
    kind: 'state',
    text: state.state_prompt,
    toolName: null,
    edges: state.edges.map((edge) => ({ to: edge.destination_state_name, condition: edge.description })),
  }));
  return {
    prompt: llm.general_prompt,
    firstMessage: llm.begin_message,
    model: llm.model ?? llm.s2s_model,
    tools: [...readTools(llm.general_tools), ...states.flatMap((state) => readTools(state.tools))],
    nodes,
    startNodeId: llm.starting_state,
    variables: readVariables(llm.default_dynamic_variables, engine),
  };
}

function readNodes(value: unknown): RetellNode[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    const node = retellNode.safeParse(entry);
    return node.success ? [node.data] : [];
  });
}

function toNode(node: RetellNode, toolNames: Map<string, string>): NodeDefinition {
  const extraEdges = [node.else_edge, node.always_edge, node.skip_response_edge].filter((edge) => edge != null);
  return {
    id: node.id,
    label: node.name ?? node.id,
    kind: node.type ?? 'unknown',
    text: textOf(node.instruction?.text),
    toolName: node.type === 'transfer_call' ? 'transfer_call' : (toolNames.get(node.tool_id ?? '') ?? null),
    edges: [...node.edges, ...extraEdges].map((edge) => ({
      to: edge.destination_node_id,
      condition: edge.transition_condition?.prompt ?? equations(edge.transition_condition?.equations ?? null),
    })),
  };
}

const equations = (list: unknown[] | null) =>
  list === null || list.length === 0 ? null : JSON.stringify(list).slice(0, 2_000);

function readTools(value: unknown): ToolDefinition[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    const read = retellTool.safeParse(entry);
    if (!read.success) return [];
    const tool = read.data;
    return [
      {
        id: tool.tool_id ?? tool.name,
        name: tool.name,
        description: tool.description ?? '',
        kind: toolKind(tool.type),
        parameters: (tool.parameters ?? null) satisfies Json,
        timeoutMs: tool.timeout_ms,
        speaksDuring: tool.speak_during_execution,
      },
    ];
  });
}

function toolKind(type: string | null): ToolDefinition['kind'] {
  if (type === 'transfer_call' || type === 'bridge_transfer') return 'transfer';
  return type === 'end_call' ? 'end_call' : 'other';
}

/** A flow hands over in a node of its own, which shows in the transcript as a call of `transfer_call`. */
function transferTools(nodes: NodeDefinition[]): ToolDefinition[] {
  if (!nodes.some((node) => node.kind === 'transfer_call')) return [];
  const description = 'Hands the caller over to a person.';
  return [
    {
      id: 'transfer_call',
      name: 'transfer_call',
      description,
      kind: 'transfer',
      parameters: null,
      timeoutMs: null,
      speaksDuring: null,
    },
  ];
}

/** Retell writes variables as `{{name}}`; those that are used without a default are listed with null. */
function readVariables(defaults: JsonObject | null, engine: JsonObject): Record<string, string | null> {
  const used = [...JSON.stringify(engine).matchAll(/\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,60})\s*\}\}/g)].map(
    (match) => match[1] ?? '',
  );
  const given = Object.entries(defaults ?? {}).map(([name, value]) => [name, textOf(value)] as const);
  return Object.fromEntries([...used.map((name) => [name, null] as const), ...given]);
}

function readLanguage(value: Json | undefined): string | null {
  const language = shortText(Array.isArray(value) ? value[0] : value, 35);
  return language === null || language === 'multi' ? null : language;
}
