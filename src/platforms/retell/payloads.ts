import { z } from 'zod';
import { anything, flag, list, number, object, text } from '../lenient.ts';

/**
 * The parts of Retell's payloads that are read. Unknown fields pass, and a field of another type than documented reads
 * as null: Retell adds fields and values every week, and an import must not stop for them.
 */
export const retellCall = z.looseObject({
  call_id: anything,
  agent_version: number,
  call_type: text,
  call_status: text,
  direction: text,
  from_number: text,
  to_number: text,
  start_timestamp: number,
  end_timestamp: number,
  duration_ms: number,
  disconnection_reason: text,
  transcript: text,
  transcript_object: list,
  transcript_with_tool_calls: list,
  scrubbed_transcript_with_tool_calls: list,
  latency: object,
  call_analysis: object,
  call_cost: object,
  retell_llm_dynamic_variables: object,
  collected_dynamic_variables: object,
  metadata: object,
  data_storage_setting: text,
});
export type RetellCall = z.infer<typeof retellCall>;

/** Every list of the v2 and v3 interface; older ones answer with the bare array. */
export const retellPage = z.union([
  z.looseObject({ items: z.array(z.unknown()), has_more: flag, pagination_key: text }),
  z.array(z.unknown()).transform((items) => ({ items, has_more: null, pagination_key: null })),
]);

export const retellAgentItem = z.looseObject({ agent_id: z.string().min(1), agent_name: text });

export const retellVersionItem = z.looseObject({ version: number, is_published: flag });

export const retellAgent = z.looseObject({
  agent_name: text,
  language: anything,
  voice_id: text,
  last_modification_timestamp: number,
  response_engine: object,
});

export const retellNumberItem = z.looseObject({ inbound_agents: list, outbound_agents: list });

export const retellBoundAgent = z.looseObject({ agent_id: text, weight: number, agent_version: z.unknown() });

const condition = z.looseObject({ type: text, prompt: text, equations: list, operator: text }).nullable().catch(null);
const edge = z.looseObject({ transition_condition: condition, destination_node_id: text });
const optionalEdge = edge.nullish().catch(null);

export const retellNode = z.looseObject({
  id: z.string().min(1),
  type: text,
  name: text,
  instruction: object,
  edges: z.array(edge).catch([]),
  else_edge: optionalEdge,
  always_edge: optionalEdge,
  skip_response_edge: optionalEdge,
  tool_id: text,
  component_id: text,
  component_type: text,
});
export type RetellNode = z.infer<typeof retellNode>;

export const retellTool = z.looseObject({
  tool_id: text,
  name: z.string().min(1),
  type: text,
  description: text,
  parameters: object,
  timeout_ms: number,
  speak_during_execution: flag,
});

export const retellFlow = z.looseObject({
  global_prompt: text,
  model_choice: object,
  start_node_id: text,
  start_speaker: text,
  nodes: list,
  tools: list,
  components: list,
  default_dynamic_variables: object,
});

export const retellLlm = z.looseObject({
  general_prompt: text,
  begin_message: text,
  model: text,
  s2s_model: text,
  general_tools: list,
  states: list,
  starting_state: text,
  default_dynamic_variables: object,
});

export const retellState = z.looseObject({
  name: z.string().min(1),
  state_prompt: text,
  edges: z.array(z.looseObject({ description: text, destination_state_name: text })).catch([]),
  tools: list,
});
