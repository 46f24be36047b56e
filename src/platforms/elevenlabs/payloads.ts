import { z } from 'zod';
import { anything, flag, list, number, object, text } from '../lenient.ts';

/**
 * The parts of ElevenLabs' payloads that are read. Unknown fields pass, and a field of another type than documented
 * reads as null: an import must not stop for one odd field.
 */
export const conversation = z.looseObject({
  conversation_id: anything,
  agent_id: text,
  user_id: text,
  status: text,
  version_id: text,
  transcript: list,
  metadata: object,
  analysis: object,
  conversation_initiation_client_data: object,
});
export type Conversation = z.infer<typeof conversation>;

export const callMetadata = z.looseObject({
  start_time_unix_secs: number,
  call_duration_secs: number,
  cost_fiat: number,
  phone_call: object,
  termination_reason: text,
  error: object,
  main_language: text,
  text_only: flag,
});
export type CallMetadata = z.infer<typeof callMetadata>;

export const phoneCall = z.looseObject({ direction: text, external_number: text, call_result: text });

export const transcriptTurn = z.looseObject({
  role: text,
  message: text,
  time_in_call_secs: number,
  tool_calls: list,
  tool_results: list,
  interrupted: flag,
  agent_metadata: object,
  conversation_turn_metrics: object,
  source_medium: text,
});
export type TranscriptTurn = z.infer<typeof transcriptTurn>;

export const toolCall = z.looseObject({ type: text, request_id: text, tool_name: text, params_as_json: anything });
export type ToolCallEntry = z.infer<typeof toolCall>;

export const toolResult = z.looseObject({
  type: text,
  request_id: text,
  tool_name: text,
  result_value: anything,
  is_error: flag,
  is_blocked: flag,
  tool_latency_secs: number,
  error_type: text,
  raw_error_message: text,
  result: object,
});
export type ToolResultEntry = z.infer<typeof toolResult>;

export const workflowStep = z.looseObject({
  type: text,
  target_node_id: text,
  node_id: text,
  requests: list,
  results: list,
  step_latency_secs: number,
});

export const conversationPage = z.looseObject({
  conversations: z.array(z.unknown()),
  has_more: flag,
  next_cursor: text,
});

export const agentPage = z.looseObject({ agents: z.array(z.unknown()), has_more: flag, next_cursor: text });

export const agentBody = z.looseObject({
  agent_id: text,
  name: text,
  version_id: text,
  branch_id: text,
  main_branch_id: text,
  metadata: object,
  conversation_config: object,
  workflow: object,
});

export const workflowNode = z.looseObject({
  type: text,
  label: text,
  additional_prompt: text,
  additional_tool_ids: list,
  tools: list,
  edge_order: list,
});

export const workflowEdge = z.looseObject({
  source: text,
  target: text,
  forward_condition: object,
  backward_condition: object,
});

export const toolBody = z.looseObject({ id: text, tool_config: object });

export const toolConfig = z.looseObject({
  type: text,
  name: text,
  description: text,
  response_timeout_secs: number,
  api_schema: object,
  parameters: object,
  force_pre_tool_speech: flag,
});

export const branch = z.looseObject({
  id: text,
  current_live_percentage: number,
  most_recent_versions: list,
  is_archived: flag,
});

export const branchVersion = z.looseObject({ id: text, seq_no_in_branch: number, time_committed_secs: number });
