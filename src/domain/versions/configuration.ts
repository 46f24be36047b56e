import type { ToolResultRule } from '../calls/tool-result-rules.ts';
import type { Json } from '../json.ts';

/** What a version of an agent is told to do, in our words: translated by the platform adapter from the captured configuration. */
export interface AgentConfiguration {
  name: string;
  /** How the agent is built; left out where it is not known. */
  kind?: AgentKind;
  /** BCP 47 tag, or null where the platform does not say. */
  language: string | null;
  /** The text that holds everywhere: global prompt, or the single prompt. Null where none could be read. */
  prompt: string | null;
  firstMessage: string | null;
  model: string | null;
  voice: string | null;
  tools: ToolDefinition[];
  /** Steps of the flow, empty for a single-prompt agent. */
  nodes: NodeDefinition[];
  startNodeId: string | null;
  /** Dynamic variables with their defaults (null: no default). */
  variables: Record<string, string | null>;
  /** What the agent may look up; left out where the platform does not say. */
  knowledge?: KnowledgeSource[];
  /** Other settings that change how it behaves, by their path in the captured document, values as JSON. Secrets are digests. */
  settings?: Record<string, string>;
}

/**
 * One prompt, a prompt with states, a flow of steps (also one that the platform calls a workflow), several assistants, or
 * a language model on the customer's own server, of which nothing can be read.
 */
export type AgentKind = 'prompt' | 'states' | 'flow' | 'squad' | 'own_model';

export interface KnowledgeSource {
  id: string;
  label: string;
  /** Digest of the content, where it was read; null where only the reference is known. */
  digest: string | null;
}

export interface ToolDefinition {
  id: string;
  name: string;
  description: string;
  kind: 'transfer' | 'end_call' | 'other';
  /** JSON Schema of the arguments, or null where the platform gives none. */
  parameters: Json | null;
  timeoutMs: number | null;
  /** What its answers mean, where its definition says so; left out elsewhere. */
  results?: ToolResultRule[];
  /** True when the agent says something while the tool runs; null where it is not known. */
  speaksDuring: boolean | null;
}

export interface NodeDefinition {
  id: string;
  label: string;
  kind: string;
  text: string | null;
  toolName: string | null;
  edges: { to: string | null; condition: string | null }[];
}
