import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import type { Platform } from '../../src/domain/vocabulary.ts';
import { sendOutbox } from '../support/outbox.ts';
import { untilTrue } from '../support/pipeline.ts';
import {
  type ScriptedAnswer,
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
} from '../support/scripted-server.ts';
import { startWorkedWorld, type WorkedWorld } from '../support/worked-world.ts';
import type { World } from '../support/world.ts';

const address = inject('temporalAddress');
const KEY = 'key_of_the_platform';
const START_MS = Date.now() - 3_600_000;
const iso = (afterS: number) => new Date(START_MS + afterS * 1000).toISOString();

const PROMPT =
  'You are the front desk of a practice. You help callers with booking a visit.\nNever give medical advice.';

/** Each platform's own answers for one agent with one call that is over. */
const PLATFORMS: Record<
  'retell' | 'vapi' | 'elevenlabs',
  { agentId: string; answer(request: ScriptedRequest): unknown }
> = {
  retell: {
    agentId: 'agent_a',
    answer({ path }) {
      if (path === '/get-api-key-info') return { api_key_name: 'key' };
      if (path === '/v2/list-agents')
        return { items: [{ agent_id: 'agent_a', agent_name: 'Front desk' }], has_more: false };
      if (path === '/list-agent-versions/agent_a')
        return { items: [{ version: 1, is_published: true }], has_more: false };
      if (path === '/get-agent/agent_a') {
        return {
          agent_id: 'agent_a',
          agent_name: 'Front desk',
          response_engine: { type: 'retell-llm', llm_id: 'llm', version: 1 },
        };
      }
      if (path === '/get-retell-llm/llm')
        return { general_prompt: PROMPT, general_tools: [{ type: 'custom', name: 'book_visit' }] };
      if (path === '/v3/list-calls')
        return { items: [{ call_id: 'call_1', call_status: 'ended', start_timestamp: START_MS }], has_more: false };
      if (path === '/v2/get-call/call_1') {
        return {
          call_id: 'call_1',
          call_status: 'ended',
          agent_version: 1,
          start_timestamp: START_MS,
          end_timestamp: START_MS + 9_000,
          transcript_object: [
            { role: 'agent', content: 'How can I help?' },
            { role: 'user', content: 'I want to book a visit.' },
          ],
        };
      }
      return undefined;
    },
  },
  vapi: {
    agentId: 'assistant_a',
    answer({ path }) {
      const assistant = {
        id: 'assistant_a',
        name: 'Front desk',
        latestVersion: 'v1',
        updatedAt: iso(-100),
        model: {
          model: 'm',
          messages: [{ role: 'system', content: PROMPT }],
          tools: [{ type: 'function', function: { name: 'book_visit' } }],
        },
      };
      const call = {
        id: 'call_1',
        assistantId: 'assistant_a',
        status: 'ended',
        createdAt: iso(0),
        startedAt: iso(0),
        endedAt: iso(9),
        artifact: {
          assistantActivations: [{ assistantId: 'assistant_a', assistantVersion: 'v1' }],
          messages: [
            { role: 'bot', message: 'How can I help?' },
            { role: 'user', message: 'I want to book a visit.' },
          ],
        },
      };
      if (path === '/assistant') return [assistant];
      if (path === '/squad') return [];
      if (path === '/assistant/assistant_a') return assistant;
      if (path === '/call') return [call];
      return path === '/call/call_1' ? call : undefined;
    },
  },
  elevenlabs: {
    agentId: 'agent_a',
    answer({ path }) {
      const agent = {
        agent_id: 'agent_a',
        name: 'Front desk',
        version_id: 'agtvrsn_1',
        conversation_config: { agent: { prompt: { prompt: PROMPT, llm: 'm', tool_ids: ['tool_1'] } } },
      };
      if (path === '/v1/convai/agents') return { agents: [agent], has_more: false };
      if (path === '/v1/convai/agents/agent_a') return agent;
      if (path === '/v1/convai/tools/tool_1')
        return { id: 'tool_1', tool_config: { name: 'book_visit', type: 'webhook' } };
      if (path === '/v1/convai/conversations') {
        return {
          conversations: [
            { conversation_id: 'call_1', status: 'done', start_time_unix_secs: Math.floor(START_MS / 1000) },
          ],
          has_more: false,
        };
      }
      if (path === '/v1/convai/conversations/call_1') {
        return {
          conversation_id: 'call_1',
          status: 'done',
          version_id: 'agtvrsn_1',
          metadata: { start_time_unix_secs: Math.floor(START_MS / 1000), call_duration_secs: 9 },
          transcript: [
            { role: 'agent', message: 'How can I help?', time_in_call_secs: 0 },
            { role: 'user', message: 'I want to book a visit.', time_in_call_secs: 3 },
          ],
        };
      }
      return undefined;
    },
  },
};

describe.skipIf(address === null)('connecting a platform', () => {
  let worked: WorkedWorld;
  let world: World;
  let server: ScriptedServer;
  let admin: string;

  beforeAll(async () => {
    worked = await startWorkedWorld(address);
    world = worked.world;
  });
  afterAll(() => worked?.close());
  beforeEach(async () => {
    server = await startScriptedServer();
    admin = await world.token();
  });
  afterEach(() => server.close());

  const ask = async (method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown) => {
    admin = await world.token();
    return world.ask(method, url, { as: admin, ...(body === undefined ? {} : { body }) });
  };
  const deliver = () => sendOutbox({ database: world.database, temporal: worked.temporal.gateway });

  async function settled(connectionId: string) {
    let seen = { body: { status: 'checking', message: null as string | null } };
    await untilTrue(async () => {
      await deliver();
      seen = await ask('GET', `/app/connections/${connectionId}`);
      return seen.body.status !== 'checking';
    });
    return seen.body;
  }

  const speaksAs =
    (platform: keyof typeof PLATFORMS) =>
    (request: ScriptedRequest): ScriptedAnswer => {
      const shown = request.headers.authorization ?? request.headers['xi-api-key'];
      if (!String(shown).includes(KEY)) return { status: 401, json: { message: 'no' } };
      const json = PLATFORMS[platform].answer(request);
      return json === undefined ? { status: 404, json: {} } : { json };
    };

  test.each(['retell', 'vapi', 'elevenlabs'] as const)(
    '%s: key checked, agent chosen, brief read, edited and approved, calls imported',
    async (platform) => {
      server.answerWith(speaksAs(platform));
      const { agentId: providerAgentId } = PLATFORMS[platform];
      const made = await ask('POST', '/app/connections', { platform, apiKey: KEY, baseUrl: server.url });
      expect(made).toMatchObject({ status: 200, body: { status: 'checking', agents: [] } });
      expect(made.text).not.toContain(KEY);
      const connection = await settled(made.body.id);
      expect(connection).toMatchObject({
        status: 'ok',
        message: null,
        agents: [{ providerAgentId, name: 'Front desk', agentId: null }],
      });

      const agent = await ask('POST', '/app/agents', {
        connectionId: made.body.id,
        providerAgentId,
        name: 'Front desk',
      });
      expect(agent.body).toMatchObject({ provider: platform, setupStatus: 'pending', onboardingStep: 'connect' });
      const at = `/app/agents/${agent.body.id}`;
      let brief = await ask('GET', `${at}/brief`);
      await untilTrue(async () => {
        await deliver();
        brief = await ask('GET', `${at}/brief`);
        return brief.body.brief !== null;
      });
      expect(brief.body).toMatchObject({
        setupStatus: 'pending',
        message: null,
        brief: {
          purpose: 'You are the front desk of a practice. You help callers with booking a visit.',
          tools: [{ name: 'book_visit' }],
          intents: ['booking a visit'],
          done: ['book_visit succeeded'],
          rules: [{ line: 2, text: 'Never give medical advice.', polarity: 'must_not' }],
        },
      });
      expect((await world.get(`/v1/agents/${agent.body.id}`)).body.onboardingStep).toBe('brief');
      const edited = await ask('PATCH', `${at}/brief`, { intents: ['book a visit', 'cancel a visit'] });
      expect(edited.body.brief).toMatchObject({
        intents: ['book a visit', 'cancel a visit'],
        tools: [{ name: 'book_visit' }],
      });

      const approved = await ask('POST', `${at}/brief/approve`);
      expect(approved).toMatchObject({ status: 200, body: { kind: 'first' } });
      expect((await ask('POST', `${at}/brief/approve`)).body.error.code).toBe('brief_decided');
      await untilTrue(async () => {
        await deliver();
        return (await world.get(`/v1/agents/${agent.body.id}`)).body.onboardingStep === 'done';
      });
      const calls = await world.get(`/v1/agents/${agent.body.id}/calls`);
      expect(calls.body.data).toMatchObject([{ providerCallId: 'call_1', version: 1 }]);
      const versions = await world.get(`/v1/agents/${agent.body.id}/versions`);
      expect(versions.body.data).toMatchObject([{ version: 1, isCurrent: true, configCaptured: true, calls: 1 }]);
    },
  );

  test('a refused key is told as one, and another key mends it', async () => {
    server.answerWith(speaksAs('retell'));
    const made = await ask('POST', '/app/connections', { platform: 'retell', apiKey: 'wrong', baseUrl: server.url });
    const refused = await settled(made.body.id);
    expect(refused).toMatchObject({ status: 'refused', agents: [] });
    expect(refused.message).toContain('refused the key');
    expect(refused.message).not.toContain('wrong');
    await ask('PATCH', `/app/connections/${made.body.id}`, { apiKey: KEY });
    expect(await settled(made.body.id)).toMatchObject({ status: 'ok' });
  });

  test('a platform that asks to wait is waited for, and the connection says so', async () => {
    let asked = 0;
    server.answerWith((request) => {
      asked += 1;
      return asked === 1 ? { status: 429, headers: { 'retry-after': '2' }, json: {} } : speaksAs('retell')(request);
    });
    const made = await ask('POST', '/app/connections', { platform: 'retell', apiKey: KEY, baseUrl: server.url });
    await untilTrue(async () => {
      await deliver();
      const { body } = await ask('GET', `/app/connections/${made.body.id}`);
      return body.status === 'ok' || String(body.message).includes('Next try in 2 s');
    });
    expect(await settled(made.body.id)).toMatchObject({ status: 'ok', message: null });
  });

  test('however often a key is given, only the newest is looked at', async () => {
    let looks = 0;
    server.answerWith((request) => {
      if (request.path === '/get-api-key-info') looks += 1;
      return speaksAs('retell')(request);
    });
    const given = { platform: 'retell', apiKey: 'wrong', baseUrl: server.url };
    const { body: made } = await ask('POST', '/app/connections', given);
    for (let nth = 0; nth < 5; nth += 1) await ask('PATCH', `/app/connections/${made.id}`, { apiKey: 'wrong' });
    await ask('PATCH', `/app/connections/${made.id}`, { apiKey: KEY });
    expect(await settled(made.id)).toMatchObject({ status: 'ok' });
    expect(looks).toBe(1);
  });

  test('a private address is refused at the look, unless it was opened', async () => {
    const made = await ask('POST', '/app/connections', { platform: 'vapi', apiKey: KEY, baseUrl: 'https://10.0.0.7' });
    expect((await settled(made.body.id)).status).toBe('refused');
  });

  test('what cannot be connected is refused with the field', async () => {
    const at = (over: object) => ask('POST', '/app/agents', { providerAgentId: 'x', ...over });
    expect((await at({})).body.error).toMatchObject({ code: 'invalid_parameter', param: 'platform' });
    expect((await at({ platform: 'vapi' })).body.error).toMatchObject({ param: 'apiKey' });
    const connectionId = '019d1f4e-6a10-7c3e-9b1a-2f6d0c4e8a12';
    expect((await at({ connectionId })).body.error).toMatchObject({
      code: 'connection_not_found',
      param: 'connectionId',
    });
    expect((await at({ connectionId, apiKey: KEY })).body.error).toMatchObject({ param: 'apiKey' });
    const withUser = { platform: 'retell' as Platform, apiKey: KEY, baseUrl: 'https://me:secret@example.com' };
    expect((await ask('POST', '/app/connections', withUser)).body.error).toMatchObject({ param: 'baseUrl' });
  });

  test('connections of another workspace are not there', async () => {
    const made = await ask('POST', '/app/connections', { platform: 'retell', apiKey: KEY, baseUrl: server.url });
    const other = await world.token(await world.makeWorkspace());
    const foreign = await world.ask('GET', `/app/connections/${made.body.id}`, { as: other });
    expect(foreign.body.error.code).toBe('connection_not_found');
    expect((await world.ask('GET', '/app/connections', { as: other })).body.data).toEqual([]);
  });
});
