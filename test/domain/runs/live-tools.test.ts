import { expect, test } from 'vitest';
import { elevenLabsLiveTools, retellLiveTools, vapiLiveTools } from '../../../src/domain/runs/live-tools.ts';
import type { AgentConfiguration, NodeDefinition, ToolDefinition } from '../../../src/domain/versions/configuration.ts';

const agent = (changed: Partial<AgentConfiguration> = {}): AgentConfiguration => ({
  name: 'Front desk',
  language: 'en-US',
  prompt: '',
  firstMessage: null,
  model: null,
  voice: null,
  tools: [],
  nodes: [],
  startNodeId: null,
  variables: {},
  ...changed,
});
const step = (kind: string, toolName: string | null = null): NodeDefinition => ({
  id: kind,
  label: 'Next',
  kind,
  text: null,
  toolName,
  edges: [],
});
const tool = (name: string, kind: ToolDefinition['kind'] = 'other'): ToolDefinition => ({
  id: name,
  name,
  description: '',
  kind,
  parameters: null,
  timeoutMs: null,
  speaksDuring: null,
});

test.each<[string, Partial<AgentConfiguration>, string[]]>([
  ['nothing of a prompt with tools, which mocks stand in for', { tools: [tool('book')] }, []],
  ['a model on a server of the customer', { kind: 'own_model' }, ["the agent's own language model server"]],
  [
    'steps that act by themselves',
    { nodes: [step('sms'), step('code'), step('conversation')] },
    ['the text message of step Next', 'the code of step Next'],
  ],
  ['a tool that is known by an id alone', { nodes: [step('function')] }, ['the shared tool of step Next']],
  ['no step whose tool has a name', { nodes: [step('function', 'book')] }, []],
  ['the same step twice once', { nodes: [step('mcp'), step('mcp')] }, ['the MCP tool of step Next']],
  [
    'MCP servers by their names',
    { settings: { 'engine.mcps': '[{"name":"crm"},{"name":"mail"}]' } },
    ['the MCP server crm', 'the MCP server mail'],
  ],
  ['an MCP server without a name', { settings: { 'engine.mcps': '[{}]' } }, ['an MCP server']],
  ['no MCP server where the list is empty', { settings: { 'engine.mcps': '[]' } }, []],
])('Retell would run for real: %s', (_what, changed, live) => {
  expect(retellLiveTools(agent(changed))).toEqual(live);
});

test.each<[string, Partial<AgentConfiguration>, boolean, string[]]>([
  [
    'every tool, where no address answers in its place',
    { tools: [tool('book'), tool('bye', 'end_call')] },
    false,
    ['book'],
  ],
  ['no tool but servers of them, where one does', { tools: [tool('book'), tool('mcp')] }, true, ['mcp']],
  ['hand-overs of a squad', { kind: 'squad' }, true, ['the hand-overs between the assistants of the squad']],
  [
    'a model of the customer',
    { settings: { 'assistant.model.provider': '"custom-llm"' } },
    true,
    ["the assistant's own language model server"],
  ],
])('a chat of Vapi would reach: %s', (_what, changed, hasAddress, live) => {
  expect(vapiLiveTools(agent(changed), hasAddress)).toEqual(live);
});

const SERVERS = 'agent.conversation_config.agent.prompt.mcp_server_ids';
test.each<[string, Partial<AgentConfiguration>, string[]]>([
  ['no tool, which a mock stands in for', { tools: [tool('book')], settings: { [SERVERS]: '[]' } }, []],
  ['servers of tools', { settings: { [SERVERS]: '["one"]' } }, ['an MCP server']],
  ['a model of the customer', { model: 'custom-llm' }, ["the agent's own language model server"]],
  ['steps that are other agents', { nodes: [step('standalone_agent')] }, ['the other agent of step Next']],
])('a test of ElevenLabs would reach: %s', (_what, changed, live) => {
  expect(elevenLabsLiveTools(agent(changed))).toEqual(live);
});
