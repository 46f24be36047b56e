import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { elevenLabsLiveTools } from '../../src/domain/runs/live-tools.ts';
import { NOT_AVAILABLE } from '../../src/domain/runs/not-available.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { createElevenLabsAdapter } from '../../src/platforms/elevenlabs/adapter.ts';
import { readConfiguration } from '../../src/platforms/elevenlabs/configuration.ts';
import { type SimulatedExchange, type Simulation } from '../../src/platforms/simulation.ts';
import { type ElevenLabsWorkshop, mockedResult, startElevenLabsWorkshop } from '../support/elevenlabs-workshop.ts';

const EXAMPLE = new URL('../../../shared/facts/elevenlabs-agent.example.json', import.meta.url);
const AGENT: JsonObject = JSON.parse(readFileSync(EXAMPLE, 'utf8'));
const TOOL: JsonObject = {
  id: 'tool_1',
  tool_config: {
    type: 'webhook',
    name: 'find_booking',
    description: 'Finds it.',
    api_schema: { url: 'https://x.test' },
  },
};
const DOCUMENT: JsonObject = { agent: AGENT, tools: [TOOL] };
const CONFIGURATION = readConfiguration({ agent: AGENT, tools: [TOOL] }, DOCUMENT);

const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
let workshop: ElevenLabsWorkshop;
let simulation: Simulation;
beforeEach(async () => {
  workshop = await startElevenLabsWorkshop(AGENT);
  const adapter = createElevenLabsAdapter({ outbound, digestSecret: () => 'd' });
  if (adapter.simulation === null) throw new Error('ElevenLabs plays agents.');
  simulation = adapter.simulation;
});
afterEach(() => workshop.close());
afterAll(() => outbound.close());

const ask = (over: Partial<SimulatedExchange> = {}) =>
  simulation.answer(
    { baseUrl: workshop.url, apiKey: 'key' },
    {
      providerAgentId: 'agent_1',
      version: 1,
      providerRef: 'agtvrsn_1',
      configuration: CONFIGURATION,
      document: DOCUMENT,
      messages: [],
      texts: {},
      copy: null,
      toolAddress: null,
      state: null,
      said: 'Can I move my visit?',
      mocks: [],
      token: 'run/test/@source/1',
      ...over,
    },
  );

describe('a question to an agent of ElevenLabs', () => {
  test('is a test of one turn that rides with the captured agent, and is gone afterwards', async () => {
    const messages = [{ role: 'agent', message: 'Riverside Dental, how can I help?', time_in_call_secs: 0 }];
    const answer = await ask({ messages });
    expect(answer).toMatchObject({ turns: [{ role: 'agent', text: 'Yes.' }], ended: null, noFixture: [] });
    expect(workshop.played).toHaveLength(1);
    expect(workshop.played[0]?.test).toMatchObject({
      type: 'simulation',
      simulation_max_turns: 1,
      chat_history: [...messages, { role: 'user', message: 'Can I move my visit?' }],
      tool_mock_config: { mocking_strategy: 'all', fallback_strategy: 'raise_error' },
      dynamic_variables: { clinic_name: 'Riverside Dental' },
    });
    expect(workshop.played[0]?.override.conversation_config).toEqual(AGENT.conversation_config);
    expect(workshop.tests.size).toBe(0);
    expect(workshop.versions).toHaveLength(1);
  });

  test('of a draft sends its texts, which nothing at the platform keeps', async () => {
    const texts = { '/prompt': 'Answer in one word.', '/nodes/node_booking/text': 'Move it.' };
    await ask({ texts });
    const override = workshop.played[0]?.override;
    expect(override.conversation_config.agent.prompt.prompt).toBe('Answer in one word.');
    expect(override.workflow.nodes.node_booking.additional_prompt).toBe('Move it.');
    expect(workshop.versions[0]?.agent).toEqual(AGENT);
  });

  test('begins with the first message, without asking the platform', async () => {
    const answer = await ask({ said: null });
    expect(answer).toMatchObject({ turns: [{ text: 'Riverside Dental, how can I help?' }], costUsd: 0 });
    expect(workshop.played).toEqual([]);
  });

  const callsTool = (args: Record<string, unknown>, more: JsonObject[] = []) => {
    workshop.plays = (played) => [
      {
        role: 'agent',
        message: null,
        tool_calls: [{ request_id: 'r1', tool_name: 'find_booking', params_as_json: JSON.stringify(args) }],
        tool_results: [{ request_id: 'r1', tool_name: 'find_booking', ...mockedResult(played, 'tool_1', args) }],
      },
      { role: 'agent', message: 'I found it.' },
      ...more,
    ];
  };

  test('has its tools stood in for: the narrower fixture first, then the wider, else not available', async () => {
    const mocks = [
      { tool: 'find_booking', match: null, respond: { found: 0 } },
      { tool: 'find_booking', match: { day: 'Monday' }, respond: { found: 1 } },
    ];
    callsTool({ day: 'Monday' });
    const narrow = await ask({ mocks });
    expect(narrow.turns[0]?.toolCall).toMatchObject({ name: 'find_booking', args: { day: 'Monday' } });
    expect(narrow.turns[1]?.toolResult).toMatchObject({ body: { found: 1 }, ok: true });
    callsTool({ day: 'Friday' });
    expect((await ask({ mocks })).turns[1]?.toolResult?.body).toEqual({ found: 0 });
    const without = await ask();
    expect(without.turns[1]?.toolResult?.body).toEqual(NOT_AVAILABLE);
    expect(without.noFixture).toEqual(['find_booking']);
  });

  test('keeps no word that the platform made up for the caller, nor the history that it repeats', async () => {
    workshop.repeatsHistory = true;
    callsTool({ day: 'Monday' }, [
      { role: 'user', message: 'Thanks, goodbye.' },
      { role: 'agent', message: 'Goodbye.' },
    ]);
    const { turns, messages } = await ask();
    expect(turns.map(({ role, text }) => [role, text])).toEqual([
      ['agent', ''],
      ['tool', ''],
      ['agent', 'I found it.'],
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'agent', 'agent']);
  });

  test.each([
    ['end_call_success', 'agent'],
    ['transfer_to_number_twilio_success', 'transfer'],
    ['transfer_to_number_error', null],
  ])('ends with %s as %s', async (kind, ended) => {
    const result = { request_id: 'r1', tool_name: 'x', type: 'system', is_error: false, result: { result_type: kind } };
    workshop.plays = () => [{ role: 'agent', message: 'Goodbye.', tool_results: [result] }];
    expect((await ask()).ended).toBe(ended);
  });

  test('that was not played says what the platform gives as the reason, and leaves no test behind', async () => {
    workshop.plays = () => null;
    await expect(ask()).rejects.toThrow('The agent could not be started.');
    expect(workshop.tests.size).toBe(0);
  });

  test('that is given up while it is played leaves no test behind', async () => {
    workshop.pendingPolls = 1_000;
    const giveUp = new AbortController();
    const refusal = ask({ signal: giveUp.signal }).catch((error: Error) => error.message);
    await vi.waitUntil(() => workshop.played.length > 0);
    giveUp.abort();
    expect(await refusal).toContain('abort');
    expect(workshop.tests.size).toBe(0);
  });
});

test('what a test of the platform would reach outside is named', () => {
  const settings = { 'agent.conversation_config.agent.prompt.mcp_server_ids': '["m1"]' };
  const step = { id: 'n', label: 'Billing', kind: 'standalone_agent', text: null, toolName: null, edges: [] };
  expect(elevenLabsLiveTools(CONFIGURATION)).toEqual([]);
  expect(elevenLabsLiveTools({ ...CONFIGURATION, settings, model: 'custom-llm', nodes: [step] })).toEqual([
    'an MCP server',
    "the agent's own language model server",
    'the other agent of step Billing',
  ]);
});
