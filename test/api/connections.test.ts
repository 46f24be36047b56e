import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { editBrief } from '../../src/db/agents/briefs.ts';
import { insertConnection } from '../../src/db/connections/connections.ts';
import { ensureSystemWorkspace } from '../../src/db/system/setup.ts';
import { createWorld, expectFailure, type World } from '../support/world.ts';

let world: World;
let admin: string;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  admin = await world.token();
});
afterAll(() => world.close());

const ask = (method: 'GET' | 'POST' | 'PATCH' | 'PUT', url: string, body?: unknown) =>
  world.ask(method, url, { as: admin, ...(body === undefined ? {} : { body }) });

describe('a stored key', () => {
  const baseUrl = 'https://voice.example.com';
  const make = async () =>
    (await ask('POST', '/app/connections', { platform: 'retell', apiKey: 'a-secret-key', baseUrl })).body.id as string;

  test('is not sent to another address unless whoever names the address knows the key', async () => {
    const at = `/app/connections/${await make()}`;
    const elsewhere = 'https://elsewhere.example.com';
    expectFailure(await ask('PATCH', at, { baseUrl: elsewhere }), 400, 'invalid_parameter', 'apiKey');
    expectFailure(await ask('PATCH', at, { baseUrl: null }), 400, 'invalid_parameter', 'apiKey');
    expect((await ask('GET', at)).body.baseUrl).toBe(baseUrl);
    expect((await ask('PATCH', at, { baseUrl })).status).toBe(200);
    expect((await ask('PATCH', at, { baseUrl: elsewhere, apiKey: 'another-key' })).body.baseUrl).toBe(elsewhere);
  });

  test.each(['', 'key\n', 'key\r\nx-admin: 1', 'two words', 'schlüssel', '\u0000'])(
    'that no header could carry is refused: %j',
    async (apiKey) => {
      const made = await ask('POST', '/app/connections', { platform: 'retell', apiKey });
      expectFailure(made, 400, 'invalid_parameter', 'apiKey');
      const agent = await ask('POST', '/app/agents', { platform: 'vapi', apiKey, providerAgentId: 'a' });
      expectFailure(agent, 400, 'invalid_parameter', 'apiKey');
    },
  );

  test.each(['?x=', '#', '/v2?', '@inside.example.com'])(
    'goes to no address whose end decides where it goes: %s',
    async (end) => {
      const address = `https://voice.example.com${end}`;
      const made = await ask('POST', '/app/connections', { platform: 'retell', apiKey: 'a-key', baseUrl: address });
      expectFailure(made, 400, 'invalid_parameter', 'baseUrl');
      const changed = await ask('PATCH', `/app/connections/${await make()}`, { apiKey: 'a-key', baseUrl: address });
      expectFailure(changed, 400, 'invalid_parameter', 'baseUrl');
    },
  );

  test('is shown in no answer', async () => {
    const id = await make();
    for (const url of [`/app/connections/${id}`, '/app/connections']) {
      expect((await ask('GET', url)).text).not.toContain('a-secret-key');
    }
  });
});

test('the connection of the shared demo can be read, changed and used by nobody else', async () => {
  const workspaceId = await ensureSystemWorkspace(world.database.em());
  const connectionId = await insertConnection(world.database.within(workspaceId), {
    workspaceId,
    platform: 'demo',
    baseUrl: 'http://127.0.0.1:4180',
    sealedKey: null,
  });
  expectFailure(await ask('GET', `/app/connections/${connectionId}`), 404, 'connection_not_found');
  expectFailure(await ask('PATCH', `/app/connections/${connectionId}`, {}), 404, 'connection_not_found');
  const agent = await ask('POST', '/app/agents', { connectionId, providerAgentId: 'agent_of_the_demo' });
  expectFailure(agent, 404, 'connection_not_found', 'connectionId');
});

describe('a brief', () => {
  test('keeps what two people edit in different parts at once', async () => {
    const at = `/app/agents/${await world.makeAgent()}/brief`;
    await Promise.all([
      ask('PATCH', at, { purpose: 'A front desk.' }),
      ask('PATCH', at, { done: ['book_visit succeeded'] }),
      ask('PATCH', at, { intents: ['book a visit'] }),
    ]);
    expect((await ask('GET', at)).body.brief).toEqual({
      purpose: 'A front desk.',
      steps: [],
      tools: [],
      intents: ['book a visit'],
      done: ['book_visit succeeded'],
      rules: [],
    });
  });

  test('that was read is shown word for word, whatever the agent is told', async () => {
    const agentId = await world.makeAgent();
    const rule = { line: 1, text: 'Never say \u201chi\u201d.\u200b\ufeff', polarity: 'must_not' as const };
    const tool = { name: 'x'.repeat(300), description: 'y'.repeat(30_000), kind: 'other' as const };
    const steps = [{ id: 'node', label: '', text: '' }];
    const read = { purpose: null, steps, tools: [tool], intents: [], done: [], rules: [rule] };
    await editBrief(world.database.within(world.workspaceId), agentId, read);
    const at = `/app/agents/${agentId}/brief`;
    expect((await ask('GET', at)).body.brief).toEqual(read);
    expectFailure(await ask('PATCH', at, { rules: [rule] }), 400, 'invalid_parameter', 'rules[0].text');
  });

  test('of an agent that sends its calls follows its text until a person approves it, and imports nothing', async () => {
    const made = await ask('POST', '/app/agents', { platform: 'file', providerAgentId: 'bikes' });
    expect(made.body).toMatchObject({ setupStatus: 'pending', onboardingStep: 'done' });
    const at = `/app/agents/${made.body.id}`;
    expect((await ask('GET', `${at}/brief`)).body).toMatchObject({
      brief: null,
      message: expect.stringContaining('nothing to read yet'),
    });
    const tools = [{ name: 'book_bike', description: 'Books a bike.' }];
    await ask('PUT', `${at}/configuration`, { prompt: 'You are the desk of a bike rental.', tools });
    expect((await ask('GET', `${at}/brief`)).body).toMatchObject({
      setupStatus: 'pending',
      brief: { purpose: 'You are the desk of a bike rental.', tools: [tools[0]], done: ['book_bike succeeded'] },
      message: null,
    });
    expect((await ask('PATCH', `${at}/brief`, { done: ['a bike is booked'] })).body.brief).toMatchObject({
      purpose: 'You are the desk of a bike rental.',
      done: ['a bike is booked'],
    });
    expect((await ask('POST', `${at}/brief/reject`)).body.setupStatus).toBe('rejected');
    const again = await ask('POST', `${at}/brief/read`);
    expect(again.body.brief.done).toEqual(['book_bike succeeded']);
    const approved = await ask('POST', `${at}/brief/approve`);
    expect(approved.body).toEqual({ ...again.body, setupStatus: 'approved' });
    expect((await ask('GET', `${at}/imports`)).body.data).toEqual([]);
    await ask('PUT', `${at}/configuration`, { prompt: 'You are a diner.' });
    expect((await ask('GET', `${at}/brief`)).body).toEqual(approved.body);
    expectFailure(await ask('POST', `${at}/brief/approve`), 409, 'brief_decided');
  });

  test('is of one workspace, and a decided one is not decided again', async () => {
    const at = `/app/agents/${await world.makeAgent()}/brief`;
    const foreign = await world.token(await world.makeWorkspace());
    expectFailure(await world.ask('GET', at, { as: foreign }), 404, 'agent_not_found');
    // Agents of these tests are approved when they are made.
    expectFailure(await ask('POST', `${at}/approve`), 409, 'brief_decided');
    expectFailure(await ask('POST', `${at}/reject`), 409, 'brief_decided');
    expectFailure(await ask('PATCH', at, {}), 400, 'invalid_body');
    expectFailure(
      await ask('PATCH', at, { rules: [{ line: 1, text: 'x' }] }),
      400,
      'invalid_parameter',
      'rules[0].polarity',
    );
  });
});
