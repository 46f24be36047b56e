import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import type { PlatformConnection } from '../../src/platforms/platform-connection.ts';
import type { CallPage, ListCallsQuery, PlatformAdapter } from '../../src/platforms/port.ts';
import { createRetellAdapter } from '../../src/platforms/retell/adapter.ts';
import { type ScriptedRequest, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const START_MS = Date.UTC(2026, 4, 4, 9);
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
  connection = { baseUrl: `${server.url}/`, apiKey: 'key_test' };
  adapter = createRetellAdapter({
    outbound,
    platform: 'retell',
    label: 'Retell',
    defaultBaseUrl: null,
    digestSecret: (secret) => `d${secret.length}`,
    nowMs: () => START_MS + 86_400_000,
  });
});
afterEach(() => server.close());

const query = (over: Partial<ListCallsQuery> = {}): ListCallsQuery => ({
  providerAgentId: 'agent_a',
  from: '2026-05-01T00:00:00.000Z',
  to: '2026-05-05T00:00:00.000Z',
  cursor: null,
  pageSize: 2,
  ...over,
});

const item = (id: string, over: object = {}) => ({
  call_id: id,
  call_status: 'ended',
  start_timestamp: START_MS,
  ...over,
});
const dated = (request: ScriptedRequest) =>
  'start_timestamp' in (request.body as { filter_criteria: object }).filter_criteria;

async function walk(pages = 20): Promise<CallPage[]> {
  const seen: CallPage[] = [];
  let cursor: string | null = null;
  for (let nth = 0; nth < pages; nth += 1) {
    const page: CallPage = await adapter.listCalls(connection, query({ cursor }));
    seen.push(page);
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return seen;
}

describe('listing calls', () => {
  test('asks for one agent in a fixed window, newest first, with the key as a bearer', async () => {
    server.answerWith(() => ({ json: { items: [], has_more: false } }));
    await adapter.listCalls(connection, query());
    const [request] = server.requests;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v3/list-calls',
      body: {
        filter_criteria: {
          agent: [{ agent_id: 'agent_a' }],
          start_timestamp: { type: 'range', op: 'bt', value: [Date.UTC(2026, 4, 1), Date.UTC(2026, 4, 5)] },
        },
        sort_order: 'descending',
        limit: 2,
      },
    });
    expect(request?.headers.authorization).toBe('Bearer key_test');
  });

  test('follows the cursor to the end, then looks for calls that never started', async () => {
    server.answerWith((request) => {
      if (!dated(request))
        return {
          json: {
            items: [item('never', { call_status: 'not_connected', start_timestamp: undefined }), item('dated')],
            has_more: false,
          },
        };
      const key = (request.body as { pagination_key?: string }).pagination_key;
      if (key === undefined) return { json: { items: [item('a'), item('b')], has_more: true, pagination_key: 'k1' } };
      return { json: { items: [item('c')], has_more: false } };
    });
    const pages = await walk();
    expect(pages.map((page) => page.items.map((one) => one.providerCallId))).toEqual([['a', 'b'], ['c'], ['never']]);
    expect(pages.at(-1)?.items[0]).toEqual({ providerCallId: 'never', startedAt: null, over: true });
    expect(pages.some((page) => page.stalled)).toBe(false);
  });

  test('a list without a window has one part', async () => {
    server.answerWith(() => ({ json: { items: [item('a')], has_more: false } }));
    const page = await adapter.listCalls(connection, query({ from: null, to: null }));
    expect(page.nextCursor).toBeNull();
    expect(server.requests[0]?.body).toMatchObject({ filter_criteria: { agent: [{ agent_id: 'agent_a' }] } });
  });

  test.each([
    ['ended', true],
    ['error', true],
    ['not_connected', true],
    ['ongoing', false],
    ['registered', false],
    ['a status of next year', false],
  ])('a call of status %s is over: %s', async (status, over) => {
    server.answerWith(() => ({ json: { items: [item('a', { call_status: status })], has_more: false } }));
    expect((await adapter.listCalls(connection, query())).items[0]?.over).toBe(over);
  });

  test('an unknown status counts as over once the call has an end', async () => {
    server.answerWith(() => ({
      json: { items: [item('a', { call_status: 'archived', end_timestamp: START_MS })], has_more: false },
    }));
    expect((await adapter.listCalls(connection, query())).items[0]?.over).toBe(true);
  });

  test('items without an id are left out, and times that can not be right are no times', async () => {
    server.answerWith(() => ({
      json: { items: [null, 7, {}, item('a', { start_timestamp: START_MS / 1000 })], has_more: false },
    }));
    expect((await adapter.listCalls(connection, query())).items).toEqual([
      { providerCallId: 'a', startedAt: null, over: true },
    ]);
  });

  test('a cursor that repeats stops the list', async () => {
    server.answerWith((request) => ({
      json: { items: [item(`x${server.requests.length}`)], has_more: dated(request), pagination_key: 'same' },
    }));
    const pages = await walk();
    expect(pages.filter((page) => page.stalled)).toHaveLength(1);
    expect(pages.length).toBeLessThan(5);
  });

  test('cursors that go round in a circle stop the list', async () => {
    let nth = 0;
    server.answerWith((request) => {
      if (!dated(request)) return { json: { items: [], has_more: false } };
      nth += 1;
      return { json: { items: [item(`x${nth}`)], has_more: true, pagination_key: `k${nth % 3}` } };
    });
    const pages = await walk();
    expect(pages.some((page) => page.stalled)).toBe(true);
    expect(pages.length).toBeLessThan(8);
  });

  test('the same page under ever new cursors stops the list', async () => {
    let nth = 0;
    server.answerWith((request) => {
      nth += 1;
      return { json: { items: [item('a'), item('b')], has_more: dated(request), pagination_key: `k${nth}` } };
    });
    const pages = await walk();
    expect(pages[1]?.stalled).toBe(true);
  });

  test('a bookmark of another kind is refused', async () => {
    await expect(adapter.listCalls(connection, query({ cursor: 'abc' }))).rejects.toMatchObject({ kind: 'rejected' });
    expect(server.requests).toHaveLength(0);
  });
});

describe('reading a call', () => {
  test('gives the payload as it came', async () => {
    server.answerWith(() => ({ json: { call_id: 'a/b', call_status: 'ended', odd: [1] } }));
    expect(await adapter.getCall(connection, 'a/b')).toEqual({
      state: 'over',
      payload: { call_id: 'a/b', call_status: 'ended', odd: [1] },
    });
    expect(server.requests[0]?.path).toBe('/v2/get-call/a%2Fb');
  });

  test('a deleted call is gone', async () => {
    server.answerWith(() => ({ status: 404, json: { message: 'not found' } }));
    expect(await adapter.getCall(connection, 'a')).toEqual({ state: 'gone' });
  });

  test('a call that still goes on is left alone', async () => {
    server.answerWith(() => ({ json: { call_id: 'a', call_status: 'ongoing' } }));
    expect(await adapter.getCall(connection, 'a')).toEqual({ state: 'ongoing' });
  });

  test('a transcript of five megabytes is read', async () => {
    const words = Array.from({ length: 60_000 }, (_, nth) => ({
      word: `word${nth}`,
      start: nth / 3,
      end: nth / 3 + 0.2,
    }));
    server.answerWith(() => ({
      json: {
        call_id: 'big',
        call_status: 'ended',
        duration_ms: 20_000_000,
        transcript_with_tool_calls: [{ role: 'user', content: 'x'.repeat(2_000_000), words }],
      },
    }));
    const read = await adapter.getCall(connection, 'big');
    const call = adapter.normalise(read.state === 'over' ? read.payload : null);
    expect(call.turns[0]?.words).toHaveLength(60_000);
  });
});

describe('answers that are no success', () => {
  test.each([
    [401, 'unauthorised'],
    [403, 'unauthorised'],
    [404, 'not_found'],
    [422, 'rejected'],
    [402, 'rejected'],
    [408, 'unavailable'],
    [409, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('%i is %s, and says no word of the body', async (status, kind) => {
    server.answerWith(() => ({ status, json: { message: 'secret of the body' } }));
    const failure = adapter.listCalls(connection, query());
    await expect(failure).rejects.toMatchObject({ name: 'PlatformError', kind, status });
    await expect(failure).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
    await expect(failure).rejects.not.toMatchObject({ message: expect.stringContaining('key_test') });
  });

  test('429 carries how long to wait', async () => {
    server.answerWith(() => ({ status: 429, headers: { 'retry-after': '3' }, json: {} }));
    await expect(adapter.listCalls(connection, query())).rejects.toMatchObject({
      kind: 'rate_limited',
      retryAfterMs: 3_000,
    });
  });

  test('429 that asks for days carries an hour', async () => {
    server.answerWith(() => ({ status: 429, headers: { 'retry-after': '999999999' }, json: {} }));
    await expect(adapter.listCalls(connection, query())).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
  });

  test.each([
    ['a web page', { text: '<!doctype html><title>Sign in</title>' }],
    ['cut JSON', { text: '{"items": [{"call_id": "a"' }],
    ['an empty body', { text: '' }],
    ['a list of another shape', { json: { calls: [] } }],
    ['a bare string', { json: 'ok' }],
  ])('%s with status 200 is a bad answer', async (_what, answer) => {
    server.answerWith(() => answer);
    await expect(adapter.listCalls(connection, query())).rejects.toMatchObject({ kind: 'bad_answer' });
  });

  test('a broken connection can be tried again, a private address can not', async () => {
    server.answerWith(() => 'cut');
    await expect(adapter.listCalls(connection, query())).rejects.toMatchObject({ kind: 'unavailable' });
    const inside = { ...connection, baseUrl: 'https://10.0.0.1' };
    await expect(adapter.listCalls(inside, query())).rejects.toMatchObject({ kind: 'address_refused' });
  });

  test('a redirect is a bad answer', async () => {
    server.answerWith(() => ({ status: 301, headers: { location: 'https://example.com' }, text: '' }));
    await expect(adapter.listCalls(connection, query())).rejects.toMatchObject({ kind: 'bad_answer' });
  });
});

describe('agents and versions', () => {
  test('agents are listed over all pages, each once', async () => {
    server.answerWith((request) =>
      request.query.get('pagination_key') === null
        ? {
            json: {
              items: [{ agent_id: 'a', agent_name: 'Front desk' }, { agent_name: 'no id' }],
              has_more: true,
              pagination_key: 'p2',
            },
          }
        : { json: { items: [{ agent_id: 'a', agent_name: 'Front desk' }, { agent_id: 'b' }], has_more: false } },
    );
    expect(await adapter.listAgents(connection)).toEqual([
      { providerAgentId: 'a', name: 'Front desk' },
      { providerAgentId: 'b', name: 'b' },
    ]);
  });

  test('the key is checked with one cheap question', async () => {
    server.answerWith(() => ({ status: 401, json: {} }));
    await expect(adapter.checkKey(connection)).rejects.toMatchObject({ kind: 'unauthorised' });
    server.answerWith(() => ({ json: { api_key_name: 'x', org_name: 'y' } }));
    await expect(adapter.checkKey(connection)).resolves.toBeUndefined();
  });

  const versions = [
    { version: 3, is_published: false },
    { version: 1, is_published: true },
    { version: 2, is_published: true },
  ];
  const bound = (agents: object[]) => ({ json: { items: [{ inbound_agents: agents }], has_more: false } });

  test.each([
    ['no number is bound: the newest published one', { json: { items: [], has_more: false } }, 2],
    ['a number is pinned', bound([{ agent_id: 'a', weight: 1, agent_version: 1 }]), 1],
    ['a number follows the latest, drafts too', bound([{ agent_id: 'a', weight: 1, agent_version: 'latest' }]), 3],
    ['a number follows what is published', bound([{ agent_id: 'a', weight: 1, agent_version: 'latest_published' }]), 2],
    [
      'traffic is split: the larger share',
      bound([
        { agent_id: 'a', weight: 0.3, agent_version: 2 },
        { agent_id: 'a', weight: 0.7, agent_version: 1 },
      ]),
      1,
    ],
    ['a number of another agent', bound([{ agent_id: 'z', weight: 1, agent_version: 1 }]), 2],
    ['the key may not read numbers', { status: 403, json: {} }, 2],
  ])('current is, where %s', async (_what, numbers, current) => {
    server.answerWith((request) => (request.path === '/v2/list-phone-numbers' ? numbers : { json: versions }));
    const listed = await adapter.listVersions(connection, 'a');
    expect(listed.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(listed.filter(({ isCurrent }) => isCurrent).map(({ version }) => version)).toEqual([current]);
  });
});
