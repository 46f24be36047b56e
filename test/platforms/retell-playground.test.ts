import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clinicFlow } from '../../packages/demo-platform/clinic/configuration.ts';
import { parcelPrompt } from '../../packages/demo-platform/parcel/configuration.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { NOT_AVAILABLE } from '../../src/domain/runs/not-available.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import type { PlatformConnection } from '../../src/platforms/platform-connection.ts';
import { createRetellAdapter } from '../../src/platforms/retell/adapter.ts';
import { readConfiguration } from '../../src/platforms/retell/configuration.ts';
import { type SimulatedExchange, type Simulation } from '../../src/platforms/simulation.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import type { Loose } from '../support/world.ts';

let outbound: Outbound;
let server: ScriptedServer;
let simulation: Simulation;
let connection: PlatformConnection;

beforeAll(() => {
  outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
});
afterAll(() => outbound.close());
beforeEach(async () => {
  server = await startScriptedServer();
  connection = { baseUrl: server.url, apiKey: 'key_test' };
  const adapter = createRetellAdapter({
    outbound,
    platform: 'retell',
    label: 'Retell',
    defaultBaseUrl: null,
    digestSecret: () => 'd',
  });
  if (adapter.simulation === null) throw new Error('Retell plays versions');
  simulation = adapter.simulation;
});
afterEach(() => server.close());

const AGENT = { agent_name: 'Reception', response_engine: { type: 'conversation-flow' } };
const configurationOf = (engine: JsonObject) =>
  readConfiguration({ agent: AGENT, engine, components: [] }, { agent: AGENT, engine });

function exchange(over: Partial<SimulatedExchange> = {}, engine: JsonObject = clinicFlow(3)): SimulatedExchange {
  return {
    providerAgentId: 'agent a',
    version: 3,
    providerRef: null,
    configuration: configurationOf(engine),
    document: { agent: AGENT, engine, components: [] },
    messages: [],
    texts: {},
    copy: null,
    toolAddress: null,
    state: null,
    said: null,
    mocks: [],
    token: 'run/test/@source/1',
    ...over,
  };
}

const sent = (at = 0): Loose => server.requests[at]?.body;
const answering = (body: object) => server.answerWith(() => ({ json: { messages: [], ...body } }));

describe('a question to the playground', () => {
  test('names the version, carries everything so far, and hands back what the platform handed out', async () => {
    const earlier: JsonObject[] = [{ role: 'agent', content: 'Hello?' }];
    const state = { current_node_id: 'node_welcome', dynamic_variables: { practice_name: 'Maple' } };
    answering({
      messages: [{ role: 'agent', content: 'Which day?' }],
      call_ended: false,
      current_node_id: 'node_pick_day',
      dynamic_variables: { practice_name: 'Maple', day: '' },
    });
    const answer = await simulation.answer(
      connection,
      exchange({ messages: earlier, state, said: 'A visit, please.' }),
    );
    const [request] = server.requests;
    expect([request?.method, request?.path, request?.query.get('version')]).toEqual([
      'POST',
      '/agent-playground-completion/agent%20a',
      '3',
    ]);
    expect(sent()).toMatchObject({
      current_node_id: 'node_welcome',
      dynamic_variables: { practice_name: 'Maple' },
      messages: [...earlier, { role: 'user', content: 'A visit, please.' }],
    });
    expect(answer).toMatchObject({
      messages: [
        { role: 'user', content: 'A visit, please.' },
        { role: 'agent', content: 'Which day?' },
      ],
      turns: [{ index: 0, role: 'agent', text: 'Which day?', nodeId: 'node_pick_day' }],
      state: { current_node_id: 'node_pick_day', dynamic_variables: { practice_name: 'Maple', day: '' } },
      steps: ['node_pick_day'],
      ended: null,
      noFixture: [],
      costUsd: null,
    });
  });

  test('marks the conversation as a test the first time', async () => {
    answering({ messages: [{ role: 'agent', content: 'Hello.' }] });
    const { state } = await simulation.answer(connection, exchange());
    expect(sent().dynamic_variables).toEqual({ earshot_test: 'run/test/@source/1' });
    expect(state).toEqual({ dynamic_variables: { earshot_test: 'run/test/@source/1' } });
  });

  test('reads tools, steps and transitions into turns', async () => {
    answering({
      messages: [
        { role: 'node_transition', former_node_id: 'node_identify', new_node_id: 'fn_find_patient' },
        { role: 'tool_call_invocation', tool_call_id: 't1', name: 'find_patient', arguments: '{"name":"Ada"}' },
        { role: 'tool_call_result', tool_call_id: 't1', content: '{"found":true}' },
        { role: 'node_transition', former_node_id: 'fn_find_patient', new_node_id: 'node_pick_day' },
        { role: 'agent', content: 'Which day?' },
        { role: 'a role of next year', content: 'x' },
      ],
      current_node_id: 'node_pick_day',
    });
    const answer = await simulation.answer(connection, exchange({ said: 'Ada.' }));
    expect(answer.turns).toMatchObject([
      { role: 'agent', toolCall: { name: 'find_patient', args: { name: 'Ada' } }, nodeId: 'fn_find_patient' },
      { role: 'tool', toolResult: { name: 'find_patient', ok: true, body: { found: true } } },
      { role: 'agent', text: 'Which day?', nodeId: 'node_pick_day' },
      { role: 'other' },
    ]);
    expect(answer.steps).toEqual(['fn_find_patient', 'node_pick_day']);
  });

  test.each([
    ['a call that the platform ended', { call_ended: true, messages: [{ role: 'agent', content: 'Bye.' }] }, 'agent'],
    ['a hand-over', { call_ended: true, messages: handOver('{"status":"connected"}') }, 'transfer'],
    ['a hand-over that failed', { messages: handOver('{"status":"error","message":"no answer"}') }, null],
    ['a question', { messages: [{ role: 'agent', content: 'Yes?' }] }, null],
  ])('%s ends by the right side', async (_, body, ended) => {
    answering(body);
    expect((await simulation.answer(connection, exchange({ said: 'Hello.' }))).ended).toBe(ended);
  });

  test('an answer of another shape, a limit and a refusal are told apart', async () => {
    server.answerWith(() => ({ json: { answer: 'hello' } }));
    await expect(simulation.answer(connection, exchange({ said: 'Hi.' }))).rejects.toMatchObject({
      kind: 'bad_answer',
    });
    server.answerWith(() => ({ status: 429, headers: { 'retry-after': '9' }, json: {} }));
    await expect(simulation.answer(connection, exchange({ said: 'Hi.' }))).rejects.toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: 9000,
    });
    server.answerWith(() => ({ status: 422, json: {} }));
    await expect(simulation.answer(connection, exchange({ said: 'Hi.' }))).rejects.toMatchObject({ kind: 'rejected' });
  });
});

function handOver(content: string) {
  return [
    { role: 'tool_call_invocation', tool_call_id: 't9', name: 'transfer_call', arguments: '{}' },
    { role: 'tool_call_result', tool_call_id: 't9', content },
  ];
}

describe('tools', () => {
  const mocksOf = () => sent().tool_mocks as Loose[];

  test('each have an answer for any call, behind those of the test, the narrower first', async () => {
    answering({ messages: [{ role: 'agent', content: 'Hello.' }] });
    const wide = { tool: 'find_patient', match: null, respond: { found: false } };
    const narrow = { tool: 'find_patient', match: { name: 'Ada' }, respond: { found: true } };
    await simulation.answer(connection, exchange({ said: 'Hi.', mocks: [wide, narrow] }));
    expect(mocksOf().slice(0, 2)).toEqual([
      {
        tool_name: 'find_patient',
        input_match_rule: { type: 'partial_match', args: { name: 'Ada' } },
        output: '{"found":true}',
      },
      { tool_name: 'find_patient', input_match_rule: { type: 'any' }, output: '{"found":false}' },
    ]);
    const open = mocksOf()
      .slice(2)
      .filter(({ output }) => output === JSON.stringify(NOT_AVAILABLE));
    const names = configurationOf(clinicFlow(3)).tools.map(({ name }) => name);
    const expected = names.filter((name) => name !== 'find_patient' && name !== 'transfer_call');
    expect(open.map(({ tool_name }) => tool_name).sort()).toEqual(expected.sort());
    expect(open.every(({ input_match_rule }) => input_match_rule.type === 'any')).toBe(true);
  });

  test('a hand-over reaches nobody, the end of a call stays with the platform', async () => {
    answering({ messages: [{ role: 'agent', content: 'Hello.' }] });
    await simulation.answer(connection, exchange({ said: 'Hi.' }, parcelPrompt(6)));
    const names = mocksOf().map(({ tool_name }) => tool_name);
    expect(names).not.toContain('end_call');
    expect(mocksOf().find(({ tool_name }) => tool_name === 'transfer_call')).toMatchObject({
      input_match_rule: { type: 'any' },
      result: true,
    });
    const busy = { tool: 'transfer_call', match: null, respond: { status: 'failed', reason: 'no_answer' } };
    await simulation.answer(connection, exchange({ said: 'Hi.', mocks: [busy] }, parcelPrompt(6)));
    expect((sent(1).tool_mocks as Loose[]).filter(({ tool_name }) => tool_name === 'transfer_call')).toEqual([
      {
        tool_name: 'transfer_call',
        input_match_rule: { type: 'any' },
        output: JSON.stringify(busy.respond),
        result: false,
      },
    ]);
  });

  test('tools that only a step of the flow lists have an answer too', async () => {
    answering({ messages: [{ role: 'agent', content: 'Hello.' }] });
    const engine = clinicFlow(3);
    const step = { id: 'node_sub', type: 'subagent', tools: [{ type: 'custom', name: 'charge_card' }], edges: [] };
    const nodes = [...(engine.nodes as JsonObject[]), step];
    await simulation.answer(connection, exchange({ said: 'Hi.' }, { ...engine, nodes }));
    expect(mocksOf().map(({ tool_name }) => tool_name)).toContain('charge_card');
  });

  test('without a fixture are listed where they were called', async () => {
    answering({
      messages: [
        { role: 'tool_call_invocation', tool_call_id: 'x', name: 'find_patient', arguments: '{}' },
        { role: 'tool_call_result', tool_call_id: 'x', content: JSON.stringify(NOT_AVAILABLE) },
        { role: 'agent', content: 'Sorry.' },
      ],
    });
    expect((await simulation.answer(connection, exchange({ said: 'Ada.' }))).noFixture).toEqual(['find_patient']);
  });
});

describe('what Retell would run for real', () => {
  const withNode = (node: JsonObject): JsonObject => {
    const engine = clinicFlow(3);
    return { ...engine, nodes: [...(engine.nodes as JsonObject[]), { edges: [], ...node }] };
  };

  test('is nothing on a flow and a prompt whose tools have names', () => {
    expect(simulation.liveTools(configurationOf(clinicFlow(3)))).toEqual([]);
    expect(simulation.liveTools(configurationOf(parcelPrompt(6)))).toEqual([]);
  });

  test.each([
    ['a text message', { id: 'n', type: 'sms', name: 'Text them' }, 'the text message of step Text them'],
    ['code', { id: 'n', type: 'code', name: 'Sum up' }, 'the code of step Sum up'],
    ['an MCP tool', { id: 'n', type: 'mcp', name: 'Look up' }, 'the MCP tool of step Look up'],
    ['another agent', { id: 'n', type: 'agent_swap', name: 'Sales' }, 'the other agent of step Sales'],
    [
      'a tool of several agents',
      { id: 'n', type: 'function', name: 'Charge', tool_id: 'tool_shared', tool_type: 'shared' },
      'the shared tool of step Charge',
    ],
  ])('%s is named', (_, node, named) => {
    expect(simulation.liveTools(configurationOf(withNode(node)))).toEqual([named]);
  });

  test('MCP servers and a model of the customer are named', () => {
    const engine = { ...parcelPrompt(6), mcps: [{ name: 'warehouse', url: 'https://mcp.example' }] };
    expect(simulation.liveTools(configurationOf(engine))).toEqual(['the MCP server warehouse']);
    const own = readConfiguration({ agent: AGENT, engine: null, components: [] });
    expect(simulation.liveTools(own)).toEqual(["the agent's own language model server"]);
  });
});

describe('the opening', () => {
  test('is asked for with no message', async () => {
    answering({ messages: [{ role: 'agent', content: 'Welcome.' }] });
    const answer = await simulation.answer(connection, exchange());
    expect(sent().messages).toEqual([]);
    expect(answer.turns).toMatchObject([{ text: 'Welcome.' }]);
    expect(answer.messages).toEqual([{ role: 'agent', content: 'Welcome.' }]);
  });

  test.each([
    ['stays silent', { status: 200, json: { messages: [] } }],
    ['refuses', { status: 400, json: { message: 'messages must not be empty' } }],
  ])('is the fixed text of the first step where the platform %s', async (_, given) => {
    server.answerWith(() => given);
    const answer = await simulation.answer(connection, exchange());
    expect(answer.turns).toMatchObject([{ text: expect.stringContaining('Thank you for calling Maple Court Dental') }]);
    expect(answer.state).toMatchObject({ current_node_id: 'node_welcome' });
    expect(answer.steps).toEqual(['node_welcome']);
  });

  test('has its variables filled from their defaults', async () => {
    answering({});
    const engine = { ...parcelPrompt(6), begin_message: 'This is {{company}}, {{unknown}}.' };
    const answer = await simulation.answer(connection, exchange({}, engine));
    expect(answer.turns).toMatchObject([{ text: 'This is Swiftlane, {{unknown}}.' }]);
  });

  test('is left to the caller where nothing is fixed, and not even asked for where the caller begins', async () => {
    answering({});
    expect(await simulation.answer(connection, exchange({}, parcelPrompt(6)))).toMatchObject({
      turns: [],
      messages: [],
    });
    expect(server.requests).toHaveLength(1);
    const engine = { ...clinicFlow(3), start_speaker: 'user' };
    expect(await simulation.answer(connection, exchange({}, engine))).toMatchObject({ turns: [], messages: [] });
    expect(server.requests).toHaveLength(1);
  });
});
