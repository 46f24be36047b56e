import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import type { PlatformConnection } from '../../src/platforms/platform-connection.ts';
import type { CallPage, PlatformAdapter } from '../../src/platforms/port.ts';
import { createVapiAdapter } from '../../src/platforms/vapi/adapter.ts';
import { type ScriptedRequest, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const START_MS = Date.UTC(2026, 4, 4, 9);
const isoAt = (minute: number) => new Date(START_MS + minute * 60_000).toISOString();
const ASSISTANT: JsonObject = {
  id: 'assistant-a',
  name: 'Bookings',
  latestVersion: 'v7',
  updatedAt: isoAt(0),
  firstMessage: 'Hello.',
  model: {
    model: 'model-a',
    messages: [{ role: 'system', content: 'You move bookings of {{clinic}}.' }],
    toolIds: ['shared-1', 'gone-1'],
    tools: [
      {
        type: 'function',
        server: { url: 'https://x.example/y', timeoutSeconds: 8 },
        function: { name: 'lookup', parameters: { type: 'object' } },
      },
      { type: 'endCall' },
      { type: 'transferCall' },
    ],
  },
  voice: { provider: 'vapi', voiceId: 'voice-a', speed: 1 },
  transcriber: { language: 'en' },
};

let outbound: Outbound;
let server: ScriptedServer;
let adapter: PlatformAdapter;
let connection: PlatformConnection;

beforeAll(() => {
  outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
});
afterAll(() => outbound.close());
beforeEach(async () => {
  server = await startScriptedServer();
  connection = { baseUrl: server.url, apiKey: 'key_test' };
  adapter = createVapiAdapter({
    outbound,
    digestSecret: (secret) => `d${secret.length}`,
    nowMs: () => START_MS + 86_400_000,
  });
});
afterEach(() => server.close());

/** A platform that holds these calls and pages them as the real one does: by `createdAtLe`, newest first. */
function holdCalls(calls: JsonObject[], agent: JsonObject = ASSISTANT): void {
  server.answerWith(({ path, query }: ScriptedRequest) => {
    if (path === `/assistant/${String(agent.id)}` && agent.members === undefined) return { json: agent };
    if (path === `/squad/${String(agent.id)}` && agent.members !== undefined) return { json: agent };
    if (path !== '/call') return { status: 404, json: { message: 'not found' } };
    const until = query.get('createdAtLe');
    const assistantId = query.get('assistantId');
    const found = calls
      .filter((call) => until === null || String(call.createdAt) <= until)
      .filter((call) => assistantId === null || call.assistantId === assistantId)
      .toSorted((a, b) => (String(a.createdAt) < String(b.createdAt) ? 1 : -1));
    return { json: found.slice(0, Number(query.get('limit'))) };
  });
}

const call = (id: string, minute: number, over: JsonObject = {}): JsonObject => ({
  id,
  assistantId: 'assistant-a',
  status: 'ended',
  createdAt: isoAt(minute),
  startedAt: isoAt(minute),
  ...over,
});

async function walk(agentId: string, pageSize: number): Promise<CallPage[]> {
  const pages: CallPage[] = [];
  let cursor: string | null = null;
  for (let nth = 0; nth < 30; nth += 1) {
    const query = { providerAgentId: agentId, from: isoAt(-1000), to: isoAt(10_000), cursor, pageSize };
    const page: CallPage = await adapter.listCalls(connection, query);
    pages.push(page);
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return pages;
}
const ids = (pages: CallPage[]) => pages.flatMap(({ items }) => items.map(({ providerCallId }) => providerCallId));

describe('listing', () => {
  test('every call is met once, also those created at the same moment on a page’s edge', async () => {
    const calls = [0, 1, 1, 1, 2, 3, 3, 4].map((minute, nth) => call(`c${nth}`, minute));
    holdCalls(calls);
    const pages = await walk('assistant-a', 2);
    expect(ids(pages).toSorted()).toEqual(calls.map(({ id }) => id).toSorted());
    expect(pages.some(({ stalled }) => stalled)).toBe(false);
  });

  test('the key goes into the header, the window into the query by last update', async () => {
    holdCalls([]);
    await walk('assistant-a', 50);
    const [, listing] = server.requests;
    expect(listing?.headers.authorization).toBe('Bearer key_test');
    expect(Object.fromEntries(listing?.query ?? [])).toMatchObject({
      assistantId: 'assistant-a',
      updatedAtGe: isoAt(-1000),
      limit: '50',
    });
  });

  test('of a squad only its own calls are taken, as no filter asks for them', async () => {
    const squad = { id: 'squad-a', name: 'Front', members: [] };
    holdCalls(
      [call('a', 1, { squadId: 'squad-a', assistantId: null }), call('b', 2, { squadId: 'squad-b' }), call('c', 3)],
      squad,
    );
    expect(ids(await walk('squad-a', 10))).toEqual(['a']);
  });

  test('a call of a squad may be the squad’s and that of the assistant that took it', async () => {
    holdCalls([call('both', 1, { squadId: 'squad-a' })]);
    const window = { from: isoAt(-1000), to: isoAt(10_000), cursor: null, pageSize: 10 };
    const providerAgentIds = ['assistant-a', 'squad-a'];
    const { items } = await adapter.listAccountCalls(connection, { ...window, providerAgentIds });
    expect(items.map((one) => one.providerAgentIds)).toEqual([['squad-a', 'assistant-a']]);
  });

  test('a full page of calls without a time is a bad answer, and no end of the list', async () => {
    server.answerWith(({ path }) => ({ json: path === '/call' ? [{ id: 'a' }, { id: 'b' }] : ASSISTANT }));
    await expect(walk('assistant-a', 2)).rejects.toMatchObject({ kind: 'bad_answer' });
    expect(ids(await walk('assistant-a', 3))).toEqual([]);
  });

  test('calls that go on are left for later; those without a start are kept', async () => {
    holdCalls([call('a', 1, { status: 'in-progress' }), call('b', 2, { startedAt: null })]);
    const [page] = await walk('assistant-a', 10);
    expect(page?.items).toEqual([
      { providerCallId: 'b', over: true, startedAt: null },
      { providerCallId: 'a', over: false, startedAt: isoAt(1) },
    ]);
  });

  test('a platform that answers one page again and again is noticed', async () => {
    server.answerWith(({ path, query }) => {
      const asked = Number(query.get('limit'));
      const same = Array.from({ length: asked }, (_, nth) => call(nth % 2 === 0 ? 'a' : 'b', 1));
      return { json: path === '/call' ? same : ASSISTANT };
    });
    const pages = await walk('assistant-a', 2);
    expect(pages).toHaveLength(2);
    expect(pages[1]).toMatchObject({ items: [], stalled: true, nextCursor: null });
  });

  test('HTML instead of a list, and an object instead of one, are bad answers', async () => {
    server.answerWith(({ path }) => (path === '/call' ? { text: '<html></html>' } : { json: ASSISTANT }));
    await expect(walk('assistant-a', 2)).rejects.toMatchObject({ kind: 'bad_answer' });
    server.answerWith(({ path }) => (path === '/call' ? { json: { results: [] } } : { json: ASSISTANT }));
    await expect(walk('assistant-a', 2)).rejects.toMatchObject({ kind: 'bad_answer' });
  });
});

describe('reading', () => {
  test('a call that is over, going on, deleted, or unknown', async () => {
    server.answerWith(({ path }) => {
      if (path.endsWith('/a')) return { json: call('a', 1) };
      if (path.endsWith('/b')) return { json: call('b', 1, { status: 'in-progress' }) };
      if (path.endsWith('/c')) return { json: call('c', 1, { endedReason: 'call-deleted' }) };
      return { status: 404, json: {} };
    });
    const states = [];
    for (const id of ['a', 'b', 'c', 'd']) states.push((await adapter.getCall(connection, id)).state);
    expect(states).toEqual(['over', 'ongoing', 'gone', 'gone']);
  });

  test('a refused key is told as one', async () => {
    server.answerWith(() => ({ status: 401, json: {} }));
    await expect(adapter.checkKey(connection)).rejects.toMatchObject({ kind: 'unauthorised' });
  });

  test('assistants and squads are both agents', async () => {
    server.answerWith(({ path }) =>
      path === '/assistant' ? { json: [ASSISTANT, { id: 'x' }] } : { json: [{ id: 'squad-a', name: 'Front' }] },
    );
    expect(await adapter.listAgents(connection)).toEqual([
      { providerAgentId: 'assistant-a', name: 'Bookings' },
      { providerAgentId: 'x', name: 'Assistant x' },
      { providerAgentId: 'squad-a', name: 'Front' },
    ]);
  });
});

describe('capturing', () => {
  test('an assistant with the tools that it shares, without what is no behaviour', async () => {
    server.answerWith(({ path }) => {
      if (path === '/assistant/assistant-a') return { json: ASSISTANT };
      if (path === '/tool/shared-1')
        return { json: { id: 'shared-1', type: 'function', function: { name: 'book' }, createdAt: 'x' } };
      return { status: 404, json: {} };
    });
    const [listed] = await adapter.listVersions(connection, 'assistant-a');
    expect(listed).toEqual({ version: 7, ref: null, isCurrent: true });
    if (!listed) throw new Error('one version is listed');
    const captured = await adapter.captureVersion(connection, 'assistant-a', listed);
    expect(captured).toMatchObject({ version: 7, providerRef: 'v7', isCurrent: true, changedAt: isoAt(0) });
    expect(captured.configuration).toMatchObject({
      prompt: 'You move bookings of {{clinic}}.',
      model: 'model-a',
      voice: 'voice-a',
      language: 'en',
      variables: { clinic: null },
      settings: { 'assistant.voice.speed': '1' },
    });
    expect(captured.configuration.tools.map(({ name, kind, timeoutMs }) => [name, kind, timeoutMs])).toEqual([
      ['lookup', 'other', 8000],
      ['endCall', 'end_call', null],
      ['transferCall', 'transfer', null],
      ['book', 'other', null],
    ]);
    expect(JSON.stringify(captured.document)).not.toContain('updatedAt');
  });

  test('a squad is a flow of its members, without a number of its own', async () => {
    const squad = {
      id: 'squad-a',
      name: 'Front',
      members: [
        { assistantId: 'router', assistantDestinations: [{ assistantName: 'Bookings', description: 'wants to book' }] },
        { assistantId: 'assistant-a' },
      ],
    };
    server.answerWith(({ path }) => {
      if (path === '/squad/squad-a') return { json: squad };
      if (path === '/assistant/router')
        return { json: { id: 'router', name: 'Router', model: { model: 'm', messages: [] } } };
      if (path === '/assistant/assistant-a') return { json: ASSISTANT };
      return { status: 404, json: {} };
    });
    const [listed] = await adapter.listVersions(connection, 'squad-a');
    if (!listed) throw new Error('one version is listed');
    const { version, configuration } = await adapter.captureVersion(connection, 'squad-a', listed);
    expect(version).toBeNull();
    expect(configuration.startNodeId).toBe('router');
    expect(configuration.nodes).toMatchObject([
      { id: 'router', label: 'Router', edges: [{ to: 'assistant-a', condition: 'wants to book' }] },
      { id: 'assistant-a', label: 'Bookings', text: 'You move bookings of {{clinic}}.' },
    ]);
  });
});
