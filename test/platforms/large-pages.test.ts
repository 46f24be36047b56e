import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { createElevenLabsAdapter } from '../../src/platforms/elevenlabs/adapter.ts';
import type { PlatformAdapter } from '../../src/platforms/port.ts';
import { createRetellAdapter } from '../../src/platforms/retell/adapter.ts';
import { createVapiAdapter } from '../../src/platforms/vapi/adapter.ts';
import { type ScriptedRequest, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const MIB = 1024 ** 2;
const START_MS = Date.UTC(2026, 4, 4, 9);
const startOf = (nth: number) => START_MS - nth * 60_000;

/** Calls in the order of the list; each has so many bytes beside what the list is read for. */
interface Held {
  id: string;
  nth: number;
  bytes: number;
}

interface RetellQuery {
  limit: number;
  pagination_key?: string;
  filter_criteria: object;
}

let outbound: Outbound;
let server: ScriptedServer;
beforeAll(() => {
  outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [], readAtMost: 8 * MIB });
});
afterAll(() => outbound.close());
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const digestSecret = (secret: string) => secret;
const nowMs = () => START_MS + 86_400_000;
const metadata = ({ bytes }: Held) => ({ metadata: { note: 'x'.repeat(bytes) } });

/** Each platform with how it pages, and what it was asked for: the sizes of its pages in order. */
const PLATFORMS: Record<string, { adapter(): PlatformAdapter; list(calls: readonly Held[]): number[] }> = {
  retell: {
    adapter: () =>
      createRetellAdapter({
        outbound,
        platform: 'retell',
        label: 'Retell',
        defaultBaseUrl: null,
        digestSecret,
        nowMs,
      }),
    list: (calls) =>
      script(calls, ({ path, body }) => {
        if (path !== '/v3/list-calls') return null;
        const { limit, pagination_key: key, filter_criteria: filter } = body as RetellQuery;
        if ('call_status' in filter) return { size: limit, page: () => ({ items: [], has_more: false }) };
        const from = Number(key ?? 0);
        return {
          size: limit,
          page: () => ({
            items: calls.slice(from, from + limit).map((call) => ({
              ...metadata(call),
              call_id: call.id,
              call_status: 'ended',
              start_timestamp: startOf(call.nth),
            })),
            has_more: from + limit < calls.length,
            pagination_key: String(from + limit),
          }),
        };
      }),
  },
  vapi: {
    adapter: () => createVapiAdapter({ outbound, digestSecret, nowMs }),
    list: (calls) =>
      script(calls, ({ path, query }) => {
        if (path !== '/call') return null;
        const limit = Number(query.get('limit'));
        const until = query.get('createdAtLe') ?? '9';
        const isoOf = ({ nth }: Held) => new Date(startOf(nth)).toISOString();
        return {
          size: limit,
          page: () =>
            calls
              .filter((call) => isoOf(call) <= until)
              .slice(0, limit)
              .map((call) => ({ ...metadata(call), id: call.id, status: 'ended', createdAt: isoOf(call) })),
        };
      }),
  },
  elevenlabs: {
    adapter: () => createElevenLabsAdapter({ outbound, digestSecret, nowMs }),
    list: (calls) =>
      script(calls, ({ path, query }) => {
        if (path !== '/v1/convai/conversations') return null;
        const size = Number(query.get('page_size'));
        const from = Number(query.get('cursor') ?? 0);
        return {
          size,
          page: () => ({
            conversations: calls.slice(from, from + size).map((call) => ({
              ...metadata(call),
              conversation_id: call.id,
              status: 'done',
              start_time_unix_secs: Math.floor(startOf(call.nth) / 1000),
            })),
            has_more: from + size < calls.length,
            next_cursor: String(from + size),
          }),
        };
      }),
  },
};

function script(
  calls: readonly Held[],
  pageOf: (request: ScriptedRequest) => { size: number; page: () => unknown } | null,
): number[] {
  const sizes: number[] = [];
  server.answerWith((request) => {
    const asked = pageOf(request);
    if (asked) {
      sizes.push(asked.size);
      return { json: asked.page() };
    }
    const call = calls.find(({ id }) => request.path.endsWith(`/${id}`));
    return { json: call ? { ...metadata(call), call_status: 'ended', status: 'ended' } : { id: 'agent_a' } };
  });
  return sizes;
}

async function walk(adapter: PlatformAdapter, pageSize: number): Promise<string[]> {
  const ids: string[] = [];
  const connection = { baseUrl: server.url, apiKey: 'key' };
  const window = { providerAgentId: 'agent_a', from: new Date(0).toISOString(), to: new Date(nowMs()).toISOString() };
  let cursor: string | null = null;
  for (let pages = 0; pages < 40; pages += 1) {
    const page = await adapter.listCalls(connection, { ...window, cursor, pageSize });
    expect(page.stalled).toBe(false);
    ids.push(...page.items.map(({ providerCallId }) => providerCallId));
    cursor = page.nextCursor;
    if (cursor === null) return ids;
  }
  throw new Error('the list had no end');
}

const held = (bytes: readonly number[]): Held[] => bytes.map((each, nth) => ({ id: `call_${nth}`, nth, bytes: each }));

describe.each(Object.entries(PLATFORMS))('%s', (_, { adapter, list }) => {
  test('a list of large calls is read as one page, of which only the ids are kept', async () => {
    const calls = held(Array.from({ length: 10 }, () => 600_000));
    const sizes = list(calls);
    expect(await walk(adapter(), 100)).toEqual(calls.map(({ id }) => id));
    expect(sizes[0]).toBe(100);
  });

  test('a page too large is asked for in halves, down to one call, and all calls are listed', async () => {
    const calls = held([10, 10, 10, 9 * MIB, 10, 10, 10, 5 * MIB, 5 * MIB, 10]);
    const sizes = list(calls);
    expect(await walk(adapter(), 8)).toEqual(calls.map(({ id }) => id));
    expect(sizes.slice(0, 3)).toEqual([8, 4, 2]);
  });

  test('a call too large to be read is told with its size', async () => {
    list(held([9 * MIB]));
    await expect(adapter().getCall({ baseUrl: server.url, apiKey: 'key' }, 'call_0')).rejects.toMatchObject({
      kind: 'too_large',
      message: expect.stringMatching(/answered reading a call with more than [89]\.\d MiB, which is too large\.$/),
    });
  });
});
