import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import { connectAgent } from '../support/publishing.ts';
import { makeTests } from '../support/runs.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import { expectFailure, type Loose } from '../support/world.ts';

const address = inject('temporalAddress');
const BOOK = { name: 'book_table', description: 'Books.', parameters: { type: 'object', properties: {} } };
const ASSISTANT: JsonObject = {
  id: 'a1',
  name: 'Desk',
  firstMessage: 'Hello.',
  latestVersion: 'v1',
  model: {
    provider: 'openai',
    model: 'gpt-4.1',
    messages: [{ role: 'system', content: 'Book tables.' }],
    tools: [
      { type: 'function', function: BOOK, server: { url: 'https://customer.test/book', secret: 'theirs' } },
      { type: 'endCall' },
    ],
  },
};

describe.skipIf(address === null)('an assistant of Vapi with tools', () => {
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
  let worked: WorkedWorld;
  let orders: ReturnType<typeof setInterval>;
  let vapi: Server;
  let agentId: string;
  let chats: Loose[];
  let toolUrl: string;
  beforeAll(async () => {
    worked = await startWorkedWorld(address);
    const { database } = worked.world;
    orders = setInterval(() => void sendOutbox({ database, temporal: worked.temporal.gateway }), 100);
    const { world } = worked;
    chats = [];
    vapi = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => vapi.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(vapi.address() as AddressInfo).port}`;
    const { adapter } = createPlatforms({ outbound, demoUrl: null });
    const agent = await connectAgent(world, adapter('vapi'), { baseUrl, providerAgentId: 'a1', apiKey: 'key' });
    agentId = agent.agentId;
    await makeTests(world.database, agent, 1);
  });
  afterAll(async () => {
    clearInterval(orders);
    await worked?.close();
    await outbound.close();
    vapi?.close();
  });

  /** As Vapi does: the server of a tool is asked by the platform, and what it answers is part of the chat. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const send = (json: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    if (request.url !== '/chat') return void send(ASSISTANT);
    const asked = JSON.parse(Buffer.concat(parts).toString());
    chats.push(asked);
    if (asked.input.filter(({ role }: Loose) => role === 'user').length > 1) {
      const end = { id: 'c2', type: 'function', function: { name: 'endCall', arguments: '{}' } };
      return void send({ output: [{ role: 'assistant', content: 'Goodbye.', tool_calls: [end] }], cost: 0.01 });
    }
    const called = { id: 'c1', type: 'function', function: { name: 'book_table', arguments: '{"seats":2}' } };
    toolUrl = asked.assistant.model.tools[0].server.url;
    const { body } = await askTools({ message: { type: 'tool-calls', toolCallList: [called] } });
    const [{ toolCallId, result }] = body.results;
    send({
      output: [
        { role: 'assistant', content: '', tool_calls: [called] },
        { role: 'tool', tool_call_id: toolCallId, content: result },
        { role: 'assistant', content: `Your reference is ${JSON.parse(result).reference}.` },
      ],
      cost: 0.01,
    });
  }
  const askTools = (body: object, at = toolUrl): Promise<Loose> =>
    worked.world.ask('POST', new URL(at).pathname, { body });

  const start = async (): Promise<Loose> =>
    worked.world.ask('POST', `/v1/agents/${agentId}/runs`, { as: await worked.world.token(), body: { all: true } });
  const read = async (path: string): Promise<Loose> => (await worked.world.get(path, await worked.world.token())).body;

  test('is not played where nothing of ours can be reached', async () => {
    worked.world.services.isNamed = false;
    expectFailure(await start(), 402, 'testing_not_configured');
  });

  test("is played with each tool answered by the test's fixtures, at an address of ours", async () => {
    worked.world.services.isNamed = true;
    const { body: run } = await start();
    await untilTrue(async () => (await read(`/v1/agents/${agentId}/runs/${run.id}`)).status === 'complete');
    const { cells } = await read(`/v1/agents/${agentId}/runs/${run.id}/result`);
    expect(cells).toMatchObject([{ result: 'passed', noFixture: [] }]);
    const { tools } = chats[0].assistant.model;
    expect(tools.map((tool: Loose) => [tool.function.name, new URL(tool.server.url).origin])).toEqual([
      ['book_table', 'https://earshot.example.com'],
      ['endCall', 'https://earshot.example.com'],
    ]);
    expect(JSON.stringify(chats)).not.toContain('customer.test');
    expect(chats[1].input.map(({ role }: Loose) => role)).toEqual([
      'assistant',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);

    const call = { id: 'c9', function: { name: 'book_table', arguments: { seats: 2 } } };
    const over = await askTools({ message: { toolCallList: [call] } });
    expectFailure(over, 404, 'attempt_not_found');
    const forged = toolUrl.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expectFailure(await askTools({ message: { toolCallList: [call] } }, forged), 404, 'attempt_not_found');
  });
});
