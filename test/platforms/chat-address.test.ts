import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AgentConfiguration } from '../../src/domain/versions/configuration.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import type { SimulatedExchange, Simulation } from '../../src/platforms/simulation.ts';
import { frontDesk } from '../support/drafts.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import type { Loose } from '../support/world.ts';

let outbound: Outbound;
let server: ScriptedServer;
let chat: Simulation;
beforeAll(() => {
  outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
  ({ chat } = createPlatforms({ outbound, demoUrl: null }));
});
afterAll(() => outbound.close());
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const tool = (name: string, kind: 'other' | 'end_call' | 'transfer') => ({
  id: name,
  name,
  description: '',
  kind,
  parameters: null,
  timeoutMs: null,
  speaksDuring: null,
});
const DESK: AgentConfiguration = {
  ...frontDesk(),
  firstMessage: 'Front desk.',
  tools: [tool('find_times', 'other'), tool('end_call', 'end_call'), tool('transfer_call', 'transfer')],
};

const exchange = (over: Partial<SimulatedExchange> = {}): SimulatedExchange => ({
  providerAgentId: 'desk-2',
  version: 1,
  providerRef: null,
  configuration: DESK,
  document: null,
  messages: [],
  texts: {},
  copy: null,
  toolAddress: null,
  state: null,
  said: 'When is a visit free?',
  mocks: [],
  token: 'run/test/@source/1',
  ...over,
});
const connection = () => ({ baseUrl: `${server.url}/v1/`, apiKey: 'key_chat' });
const says = (content: string | null, calls: [name: string, args: object][] = []) => ({
  json: {
    choices: [
      {
        message: {
          role: 'assistant',
          content,
          tool_calls: calls.map(([name, args], at) => ({
            id: `call_${at}`,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        },
      },
    ],
  },
});
/** Calls the tools first, and answers once it has their results. */
const callsThenSays = (calls: [string, object][], words: string) =>
  server.answerWith(({ body }) =>
    (body as Loose).messages.at(-1).role === 'tool' ? says(words) : says('One moment.', calls),
  );

test('the conversation is sent whole, under the name of a test, and each tool is answered by the test', async () => {
  callsThenSays([['find_times', { day: 'Tuesday' }]], 'Tuesday at nine.');
  const messages = [{ role: 'assistant', content: 'Front desk.' }];
  const wide = { tool: 'find_times', match: null, respond: { times: [] } };
  const narrow = { tool: 'find_times', match: { day: 'Tuesday' }, respond: { times: ['9:00'] } };
  const answer = await chat.answer(connection(), exchange({ messages, mocks: [wide, narrow] }));
  expect(server.requests.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
    ['POST', '/v1/chat/completions', 'Bearer key_chat'],
    ['POST', '/v1/chat/completions', 'Bearer key_chat'],
  ]);
  const [first, second] = server.requests.map(({ body }) => body as Loose);
  expect(first).toEqual({
    model: 'desk-2',
    stream: false,
    user: 'earshot-test/run/test/@source/1',
    messages: [...messages, { role: 'user', content: 'When is a visit free?' }],
  });
  expect(second.messages.slice(2)).toMatchObject([
    { role: 'assistant', tool_calls: [{ id: 'call_0', function: { name: 'find_times' } }] },
    { role: 'tool', tool_call_id: 'call_0', content: '{"times":["9:00"]}' },
  ]);
  expect(answer.messages).toHaveLength(4);
  expect(
    answer.turns.map(({ role, text, toolCall, toolResult }) => [role, text, toolCall?.args, toolResult?.body]),
  ).toEqual([
    ['agent', 'One moment.', undefined, undefined],
    ['agent', '', { day: 'Tuesday' }, undefined],
    ['tool', '', undefined, { times: ['9:00'] }],
    ['agent', 'Tuesday at nine.', undefined, undefined],
  ]);
  expect(answer).toMatchObject({ ended: null, noFixture: [] });
});

test('a tool without a fixture is not available, and named', async () => {
  callsThenSays([['find_times', {}]], 'I can not look that up.');
  const answer = await chat.answer(connection(), exchange());
  expect(answer).toMatchObject({ noFixture: ['find_times'], ended: null });
  expect(JSON.stringify(server.requests[1]?.body)).toContain('not_available');
});

test.each([
  ['end_call', 'agent'],
  ['transfer_call', 'transfer'],
] as const)('a call of %s ends the conversation', async (name, ended) => {
  server.answerWith(() => says('Goodbye.', [[name, {}]]));
  expect(await chat.answer(connection(), exchange())).toMatchObject({ ended, noFixture: [] });
  expect(server.requests).toHaveLength(1);
});

test('the fixed first message opens, and where there is none the caller does', async () => {
  expect((await chat.answer(connection(), exchange({ said: null }))).turns).toMatchObject([{ text: 'Front desk.' }]);
  const silent = { ...DESK, firstMessage: null };
  expect((await chat.answer(connection(), exchange({ said: null, configuration: silent }))).turns).toEqual([]);
  expect(server.requests).toEqual([]);
});

test.each([
  ['something that is no completion', () => ({ json: { hello: true } }), 'bad_answer'],
  ['tools without end', () => says(null, [['find_times', {}]]), 'bad_answer'],
  ['a refusal of the key', () => ({ status: 401, json: {} }), 'unauthorised'],
  ['nothing just now', () => ({ status: 503, json: {} }), 'unavailable'],
] as const)('an answer that is %s is a failure of its kind', async (_, script, kind) => {
  server.answerWith(script);
  await expect(chat.answer(connection(), exchange())).rejects.toMatchObject({ kind });
  expect(server.requests.length).toBeLessThan(9);
});
