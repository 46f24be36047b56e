import type { AgentConfiguration } from '../versions/configuration.ts';

/** Steps of a flow that act by themselves, under no name that a mock could take the place of. */
const ACTING_STEPS: Readonly<Record<string, string>> = {
  sms: 'the text message',
  mcp: 'the MCP tool',
  code: 'the code',
  agent_swap: 'the other agent',
};

/** What Retell would run for real whatever mocks are given. */
export function retellLiveTools(configuration: AgentConfiguration): string[] {
  if (configuration.kind === 'own_model') return ["the agent's own language model server"];
  const servers = configuration.settings?.['engine.mcps'] ?? '[]';
  const named = [...servers.matchAll(/"name":"([^"]{1,100})"/g)].map((match) => `the MCP server ${match[1]}`);
  const mcps = servers === '[]' || servers === 'null' ? [] : named.length > 0 ? named : ['an MCP server'];
  const steps = configuration.nodes.flatMap(({ kind, label, toolName }) => {
    const acts = ACTING_STEPS[kind];
    if (acts !== undefined) return [`${acts} of step ${label}`];
    // A tool that several agents share is known here by an id alone.
    return kind === 'function' && toolName === null ? [`the shared tool of step ${label}`] : [];
  });
  return [...new Set([...mcps, ...steps])];
}

/**
 * What a chat of Vapi could not play without reaching something outside: members of a squad, a model of the customer's
 * own, servers of tools; and every tool, where no address of ours can answer in its place. A tool that only ends the call
 * reaches nothing.
 */
export function vapiLiveTools({ kind, tools, settings }: AgentConfiguration, hasToolAddress = false): string[] {
  const ownModel = settings?.['assistant.model.provider'] === '"custom-llm"';
  const live = tools.filter((tool) => tool.kind !== 'end_call' && (!hasToolAddress || tool.name === 'mcp'));
  return [
    ...(kind === 'squad' ? ['the hand-overs between the assistants of the squad'] : []),
    ...(ownModel ? ["the assistant's own language model server"] : []),
    ...live.map(({ name }) => name),
  ];
}

/** What a test of ElevenLabs would reach outside: its mocks stand in for tools, not for servers of them, agents or models. */
export function elevenLabsLiveTools({ model, nodes, settings }: AgentConfiguration): string[] {
  const servers = settings?.['agent.conversation_config.agent.prompt.mcp_server_ids'] ?? '[]';
  return [
    ...(servers === '[]' || servers === 'null' ? [] : ['an MCP server']),
    ...(model === 'custom-llm' ? ["the agent's own language model server"] : []),
    ...nodes.flatMap(({ kind, label }) => (kind === 'standalone_agent' ? [`the other agent of step ${label}`] : [])),
  ];
}
