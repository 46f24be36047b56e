import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import { makeTests } from '../support/runs.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { makeSpec } from '../support/specs.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import { expectFailure, type Loose } from '../support/world.ts';

const address = inject('temporalAddress');

describe.skipIf(address === null)('an agent of records', () => {
  let worked: WorkedWorld;
  let orders: ReturnType<typeof setInterval>;
  let bot: ScriptedServer;
  let agentId: string;
  beforeAll(async () => {
    worked = await startWorkedWorld(address);
    const { database } = worked.world;
    orders = setInterval(() => void sendOutbox({ database, temporal: worked.temporal.gateway }), 100);
  });
  afterAll(async () => {
    clearInterval(orders);
    await worked?.close();
  });
  beforeEach(async () => {
    const { world } = worked;
    bot = await startScriptedServer();
    agentId = await world.makeAgent({ provider: 'file' });
    const { caller } = makeSpec();
    await makeTests(world.database, { workspaceId: world.workspaceId, agentId }, 1, {
      caller: { ...caller, script: ['When is a visit free?'] },
      fixtures: [{ tool: 'find_times', match: null, respond: { times: ['9:00'] }, times: null }],
      criteria: [
        { id: 'c1', text: 'Looks it up.', required: true, check: { kind: 'tool_called', tool: 'find_times' } },
        { id: 'c2', text: 'Says nine.', required: true, check: { kind: 'said', text: 'nine', by: 'agent' } },
      ],
    });
  });
  afterEach(() => bot.close());

  const send = async (method: 'POST' | 'PUT', path: string, body: object): Promise<Loose> =>
    worked.world.ask(method, path, { as: await worked.world.token(), body });
  const put = (path: string, body: object) => send('PUT', `/app/agents/${agentId}${path}`, body);
  const read = async (path: string): Promise<Loose> => (await worked.world.get(path, await worked.world.token())).body;
  const start = () => send('POST', `/v1/agents/${agentId}/runs`, { all: true });

  test('is played at the chat address of its owner, with its tools answered by the test', async () => {
    expectFailure(await start(), 402, 'testing_not_configured');
    await put('/configuration', { prompt: 'Look times up.', tools: [{ name: 'find_times' }] });
    const url = `${bot.url}/v1`;
    expectFailure(await put('/chat', { url }), 400, 'invalid_parameter', 'handsToolsBack');
    const chat = { url, apiKey: 'key_bot', model: 'desk-2', handsToolsBack: true };
    const shown = { object: 'agent_chat', agentId, url, model: 'desk-2', hasKey: true };
    expect((await put('/chat', chat)).body).toEqual(shown);
    expect(await read(`/app/agents/${agentId}/chat`)).toEqual(shown);
    bot.answerWith(({ body }) => {
      const hasTimes = (body as Loose).messages.at(-1).role === 'tool';
      const call = { id: 'c1', type: 'function', function: { name: 'find_times', arguments: '{}' } };
      const message = hasTimes ? { content: 'Nine is free.' } : { content: null, tool_calls: [call] };
      return { json: { choices: [{ message: { role: 'assistant', ...message } }] } };
    });
    const { body: run } = await start();
    await untilTrue(async () => (await read(`/v1/agents/${agentId}/runs/${run.id}`)).status === 'complete');
    expect(await read(`/v1/agents/${agentId}/runs/${run.id}/result`)).toMatchObject({
      cells: [{ result: 'passed', noFixture: [] }],
      cost: { platformUsd: 0 },
    });
    expect(bot.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer key_bot' },
      body: { model: 'desk-2', user: expect.stringMatching(`^earshot-test/${run.id}/`) },
    });
    expect((await put('/chat', { url: null })).body).toMatchObject({ url: null, hasKey: false });
    expectFailure(await start(), 402, 'testing_not_configured');
  });

  test('on a voice platform has no chat address', async () => {
    agentId = await worked.world.makeAgent({ provider: 'retell' });
    const refused = await put('/chat', { url: bot.url, handsToolsBack: true });
    expectFailure(refused, 400, 'invalid_parameter', 'agentId');
  });
});
