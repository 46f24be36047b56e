import type { Turn } from '../../src/domain/calls/call.ts';
import type { Json } from '../../src/domain/json.ts';
import type { PlayedCall } from '../../src/domain/runs/attempt.ts';
import type { AgentConfiguration } from '../../src/domain/versions/configuration.ts';
import { turn } from './analysed-calls.ts';

type Line = Partial<Turn> & Pick<Turn, 'role'>;

export const agent = (text: string, nodeId: string | null = null): Line => ({ role: 'agent', text, nodeId });
export const caller = (text: string): Line => ({ role: 'caller', text });
export const calls = (name: string, args: Json, nodeId: string | null = null): Line => ({
  role: 'agent',
  text: '',
  nodeId,
  toolCall: { id: null, name, args },
});
export const answers = (name: string, body: Json): Line => ({
  role: 'tool',
  text: '',
  toolResult: { id: null, name, ok: true, okSource: 'body', body, latencyMs: null },
});

/** A simulated call of these turns, ended by the agent. */
export function played(lines: readonly Line[], over: Partial<PlayedCall> = {}): PlayedCall {
  const turns = lines.map((line, index) => ({ ...turn(index, line.role, line.text ?? ''), ...line }));
  return { turns, endedBy: 'agent', steps: [], noFixture: [], trouble: null, ...over };
}

export function configurationOf(over: Partial<AgentConfiguration> = {}): AgentConfiguration {
  return {
    name: 'Test agent',
    language: 'en-US',
    prompt: null,
    firstMessage: null,
    model: null,
    voice: null,
    tools: [],
    nodes: [],
    startNodeId: null,
    variables: {},
    ...over,
  };
}

/** A tool of which nothing but its name is known, changed as told. */
export const toolNamed = (
  name: string,
  over: Partial<AgentConfiguration['tools'][number]> = {},
): AgentConfiguration['tools'][number] => ({
  id: `id-of-${name}`,
  name,
  description: '',
  kind: 'other',
  parameters: null,
  timeoutMs: null,
  speaksDuring: null,
  ...over,
});

export const nodeNamed = (id: string, label: string): AgentConfiguration['nodes'][number] => ({
  id,
  label,
  kind: 'conversation',
  text: null,
  toolName: null,
  edges: [],
});
