import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import type { PlatformConnection } from '../../src/platforms/platform-connection.ts';
import type { SimulatedExchange, Simulation } from '../../src/platforms/simulation.ts';
import { createVapiAdapter } from '../../src/platforms/vapi/adapter.ts';
import { readAssistant, readSquad } from '../../src/platforms/vapi/configuration.ts';
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
  const adapter = createVapiAdapter({ outbound, digestSecret: () => 'd' });
  if (adapter.simulation === null) throw new Error('Vapi plays assistants');
  simulation = adapter.simulation;
});
afterEach(() => server.close());

const ASSISTANT: JsonObject = {
  id: 'a1',
  name: 'Front desk',
  firstMessage: 'Harbour Vets, how can I help?',
  endCallPhrases: ['have a lovely day'],
  hooks: [{ on: 'call.ending', do: [{ type: 'transfer' }] }],
  model: {
    provider: 'openai',
    model: 'gpt-4.1',
    messages: [{ role: 'system', content: 'Answer questions on opening hours.' }],
    tools: [{ type: 'endCall' }],
    toolIds: ['t1'],
  },
};

const configurationOf = (assistant: JsonObject, sharedTools: JsonObject[] = []) =>
  readAssistant({ assistant, sharedTools }, { assistant, sharedTools });

function exchange(over: Partial<SimulatedExchange> = {}, assistant = ASSISTANT): SimulatedExchange {
  return {
    providerAgentId: 'a1',
    version: 4,
    providerRef: 'v4',
    configuration: configurationOf(assistant),
    document: { assistant, sharedTools: [] },
    messages: [],
    texts: {},
    copy: null,
    toolAddress: null,
    state: null,
    said: 'When do you open?',
    mocks: [],
    token: 'run/test/@source/1',
    ...over,
  };
}

describe('a chat with the captured assistant', () => {
  test('of a draft sends its texts in the place of the captured ones', async () => {
    server.answerWith(() => ({ json: { id: 'c1', output: [{ role: 'assistant', content: 'At nine.' }] } }));
    const texts = { '/prompt': 'Answer in one word.', '/firstMessage': 'Vets.' };
    await simulation.answer(connection, exchange({ texts }));
    const sent = server.requests.at(-1)?.body as Loose;
    expect(sent.assistant.model.messages).toEqual([{ role: 'system', content: 'Answer in one word.' }]);
    expect((await simulation.answer(connection, exchange({ texts, said: null }))).turns[0]?.text).toBe('Vets.');
    await expect(simulation.answer(connection, exchange({ texts: { '/nodes/a/text': 'x' } }))).rejects.toThrow(
      "can't be written",
    );
  });

  test('sends what the assistant says and nothing that acts, with the whole conversation', async () => {
    server.answerWith(() => ({
      json: { id: 'c1', output: [{ role: 'assistant', content: 'At eight.' }], cost: 0.0031 },
    }));
    const messages = [{ role: 'assistant', content: 'Harbour Vets, how can I help?' }];
    const answer = await simulation.answer(connection, exchange({ messages }));
    const body = server.requests[0]?.body as Loose;
    expect(server.requests[0]?.path).toBe('/chat');
    expect(body.assistant).toEqual({
      name: 'Front desk',
      model: {
        provider: 'openai',
        model: 'gpt-4.1',
        messages: [{ role: 'system', content: 'Answer questions on opening hours.' }],
      },
    });
    expect(body.input).toEqual([...messages, { role: 'user', content: 'When do you open?' }]);
    expect(answer).toMatchObject({
      messages: [
        { role: 'user', content: 'When do you open?' },
        { role: 'assistant', content: 'At eight.' },
      ],
      turns: [{ index: 0, role: 'agent', text: 'At eight.' }],
      ended: null,
      costUsd: 0.0031,
    });
  });

  test('ends where the assistant says a phrase that ends its calls', async () => {
    server.answerWith(() => ({ json: { output: [{ role: 'assistant', content: 'Bye, have a LOVELY day!' }] } }));
    expect(await simulation.answer(connection, exchange())).toMatchObject({ ended: 'agent', costUsd: null });
  });

  test('begins with the first message without asking the platform, or leaves that to the caller', async () => {
    const opening = exchange({ said: null });
    expect(await simulation.answer(connection, opening)).toMatchObject({
      turns: [{ text: 'Harbour Vets, how can I help?' }],
      costUsd: 0,
    });
    const waiting = { ...ASSISTANT, firstMessageMode: 'assistant-waits-for-user' };
    expect(await simulation.answer(connection, exchange({ said: null }, waiting))).toMatchObject({ turns: [] });
    expect(server.requests).toHaveLength(0);
  });

  test('that answers in another shape is a bad answer', async () => {
    server.answerWith(() => ({ json: { text: 'At eight.' } }));
    await expect(simulation.answer(connection, exchange())).rejects.toMatchObject({ kind: 'bad_answer' });
  });
});

describe('what a chat would run for real', () => {
  test('is nothing for an assistant that can only end the call', () => {
    expect(simulation.liveTools(configurationOf(ASSISTANT))).toEqual([]);
  });

  test('are its tools, shared ones too, a model of the customer, and a squad', () => {
    const shared = { id: 't1', type: 'function', function: { name: 'charge_card' } };
    expect(simulation.liveTools(configurationOf(ASSISTANT, [shared]))).toEqual(['charge_card']);
    const own = { ...ASSISTANT, model: { provider: 'custom-llm', url: 'https://llm.example' } };
    expect(simulation.liveTools(configurationOf(own))).toEqual(["the assistant's own language model server"]);
    const squad = readSquad({ name: 'All', members: [] }, [{ assistant: ASSISTANT, sharedTools: [] }], {});
    expect(simulation.liveTools(squad)).toEqual(['the hand-overs between the assistants of the squad']);
  });
});
