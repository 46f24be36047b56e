import { existsSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { createElevenLabsAdapter } from '../../src/platforms/elevenlabs/adapter.ts';
import type { PlatformConnection } from '../../src/platforms/platform-connection.ts';
import type { CallPage, PlatformAdapter } from '../../src/platforms/port.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const START_S = Date.UTC(2026, 4, 4, 9) / 1000;
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
  adapter = createElevenLabsAdapter({
    outbound,
    digestSecret: (secret) => `d${secret.length}`,
    nowMs: () => (START_S + 86_400) * 1000,
  });
});
afterEach(() => server.close());

const item = (nth: number, over: JsonObject = {}): JsonObject => ({
  conversation_id: `conv_${nth}`,
  status: 'done',
  start_time_unix_secs: START_S + nth,
  ...over,
});
const query = (cursor: string | null) => ({
  providerAgentId: 'agent_a',
  from: new Date(START_S * 1000).toISOString(),
  to: new Date((START_S + 3600) * 1000).toISOString(),
  cursor,
  pageSize: 500,
});

async function walk(): Promise<CallPage[]> {
  const pages: CallPage[] = [];
  let cursor: string | null = null;
  for (let nth = 0; nth < 20; nth += 1) {
    const page: CallPage = await adapter.listCalls(connection, query(cursor));
    pages.push(page);
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return pages;
}

describe('listing', () => {
  test('pages follow the platform’s cursor, with its own key header and the window in seconds', async () => {
    server.answerWith(({ query: asked }) =>
      asked.get('cursor') === null
        ? { json: { conversations: [item(1), item(2, { status: 'processing' })], has_more: true, next_cursor: 'k2' } }
        : { json: { conversations: [item(3)], has_more: false, next_cursor: null } },
    );
    const pages = await walk();
    expect(pages.flatMap(({ items }) => items.map(({ providerCallId, over }) => [providerCallId, over]))).toEqual([
      ['conv_1', true],
      ['conv_2', false],
      ['conv_3', true],
    ]);
    const [first] = server.requests;
    expect(first?.headers['xi-api-key']).toBe('key_test');
    expect(first?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(first?.query ?? [])).toMatchObject({
      agent_id: 'agent_a',
      page_size: '100',
      call_start_after_unix: String(START_S - 1),
      call_start_before_unix: String(START_S + 3601),
    });
  });

  test('cursors that go in a circle end the walk', async () => {
    const keys = ['b', 'c', 'a', 'b'];
    let asked = 0;
    server.answerWith(() => {
      asked += 1;
      return { json: { conversations: [item(asked)], has_more: true, next_cursor: keys[(asked - 1) % 3] } };
    });
    const pages = await walk();
    expect(pages.length).toBeLessThan(6);
    expect(pages.at(-1)?.stalled).toBe(true);
  });

  test('too many requests are a wait', async () => {
    server.answerWith(() => ({ status: 429, headers: { 'retry-after': '7' }, json: {} }));
    await expect(walk()).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 7_000 });
  });
});

test('a conversation that is still processed is left for later', async () => {
  server.answerWith(({ path }) =>
    path.endsWith('/a')
      ? { json: item(1) }
      : path.endsWith('/b')
        ? { json: item(2, { status: 'processing' }) }
        : { status: 404, json: {} },
  );
  const states = [];
  for (const id of ['a', 'b', 'c']) states.push((await adapter.getCall(connection, id)).state);
  expect(states).toEqual(['over', 'ongoing', 'gone']);
});

describe('versions', () => {
  test('are listed over all branches by the time of their commit; current is the tip with most of the calls', async () => {
    const branches: Record<string, JsonObject> = {
      main: {
        id: 'main',
        current_live_percentage: 80,
        most_recent_versions: [
          { id: 'v2', time_committed_secs: 20 },
          { id: 'v1', time_committed_secs: 10 },
        ],
      },
      trial: {
        id: 'trial',
        current_live_percentage: 20,
        most_recent_versions: [{ id: 'v3', time_committed_secs: 30 }],
      },
    };
    server.answerWith(({ path }) => {
      if (path.endsWith('/branches'))
        return { json: { meta: {}, results: Object.values(branches).map(({ id }) => ({ id })) } };
      const name = path.split('/branches/')[1];
      return { json: name === undefined ? { agent_id: 'agent_a', version_id: 'v2' } : (branches[name] ?? {}) };
    });
    expect(await adapter.listVersions(connection, 'agent_a')).toEqual([
      { version: null, ref: 'v1', isCurrent: false },
      { version: null, ref: 'v2', isCurrent: true },
      { version: null, ref: 'v3', isCurrent: false },
    ]);
  });

  test('where branches can’t be read, the agent’s own version is all there is', async () => {
    server.answerWith(({ path }) =>
      path.endsWith('/branches') ? { status: 404, json: {} } : { json: { version_id: 'v9' } },
    );
    expect(await adapter.listVersions(connection, 'agent_a')).toEqual([{ version: null, ref: 'v9', isCurrent: true }]);
  });

  const EXAMPLE = new URL('../../../shared/facts/elevenlabs-agent.example.json', import.meta.url);
  test.skipIf(!existsSync(EXAMPLE))('the example agent is captured with its workflow and its tool', async () => {
    const agent = JSON.parse(readFileSync(EXAMPLE, 'utf8')) as JsonObject;
    const toolConfig = {
      type: 'webhook',
      name: 'lookup_booking',
      description: 'Finds a booking',
      response_timeout_secs: 8,
      api_schema: {
        url: 'https://x.example',
        request_headers: { key: 'top-secret' },
        request_body_schema: { properties: { phone: { type: 'string' } }, required: ['phone'] },
      },
    };
    server.answerWith(({ path }) => {
      if (path.startsWith('/v1/convai/tools/'))
        return { json: { id: 'tool_0001example00000000000000001', tool_config: toolConfig } };
      return path.endsWith('/branches') ? { status: 404, json: {} } : { json: agent };
    });
    const captured = await adapter.captureVersion(connection, 'agent_a', {
      version: null,
      ref: 'agtvrsn_7',
      isCurrent: true,
    });
    expect(captured).toMatchObject({ version: null, providerRef: 'agtvrsn_7', isCurrent: true });
    expect(captured.configuration).toMatchObject({
      name: 'Riverside Dental',
      model: 'gpt-4.1',
      startNodeId: 'start_node',
      variables: { clinic_name: 'Riverside Dental' },
    });
    expect(captured.configuration.tools.map(({ name, kind, timeoutMs }) => [name, kind, timeoutMs])).toEqual([
      ['lookup_booking', 'other', 8000],
      ['end_call', 'end_call', null],
    ]);
    expect(captured.configuration.nodes).toMatchObject([
      { id: 'start_node', edges: [{ to: 'node_booking', condition: 'The caller wants to move or cancel a booking' }] },
      {
        id: 'node_booking',
        label: 'Move a booking',
        text: 'Find the booking, then move it.',
        edges: [{ to: 'node_end', condition: null }],
      },
      { id: 'node_end', kind: 'end' },
    ]);
    expect(JSON.stringify(captured.document)).not.toContain('top-secret');
  });
});
