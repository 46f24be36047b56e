import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { firstSlice, nextSlice, type Slice } from '../../src/domain/calls/slices.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { createElevenLabsAdapter } from '../../src/platforms/elevenlabs/adapter.ts';
import type { CallListing, PlatformAdapter } from '../../src/platforms/port.ts';
import { createRetellAdapter } from '../../src/platforms/retell/adapter.ts';
import { createVapiAdapter } from '../../src/platforms/vapi/adapter.ts';
import { randomFrom } from '../support/random.ts';
import { type ScriptedRequest, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const TO_MS = Date.UTC(2026, 2, 31, 10);
const DAY_MS = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();
const LISTING = { from: iso(TO_MS - 60 * DAY_MS), to: iso(TO_MS) };

/** A call by what the platform sorts it by, in milliseconds; null where it has no such time. */
interface Held {
  id: string;
  sortedAtMs: number | null;
  /** Where the platform knows a start apart from it. */
  startedAtMs?: number | null;
}

/** How a platform answers for its calls. `isWide`: it takes no notice of the bounds that it is asked within. */
interface StandIn {
  /** Calls of these times are as odd as this platform's can be. */
  oddities: Held[];
  answer(request: ScriptedRequest, held: readonly Held[], isWide: boolean): unknown;
}

const newestFirst = (held: readonly Held[]) =>
  held.toSorted((a, b) => (b.sortedAtMs ?? 0) - (a.sortedAtMs ?? 0) || (a.id < b.id ? -1 : 1));

function pageAfter(held: readonly Held[], after: string | undefined, size: number) {
  const begin = after === undefined ? 0 : held.findIndex(({ id }) => id === after) + 1;
  const items = held.slice(begin, begin + size);
  return { items, next: begin + size < held.length ? items.at(-1)?.id : undefined };
}

const retell: StandIn = {
  oddities: [
    { id: 'never connected', sortedAtMs: null },
    { id: 'in seconds', sortedAtMs: TO_MS / 1000 },
    { id: 'before the listing', sortedAtMs: TO_MS - 61 * DAY_MS },
    { id: 'in the future', sortedAtMs: TO_MS + 3 * DAY_MS },
  ],
  answer({ body }, held, isWide) {
    const asked = body as {
      limit: number;
      pagination_key?: string;
      filter_criteria: { start_timestamp?: { value: [number, number] }; call_status?: unknown };
    };
    const { start_timestamp: starts, call_status: statuses } = asked.filter_criteria;
    const isListed = ({ sortedAtMs: at }: Held) =>
      isWide || (starts ? at !== null && at >= starts.value[0] && at <= starts.value[1] : !statuses || at === null);
    const { items, next } = pageAfter(newestFirst(held.filter(isListed)), asked.pagination_key, asked.limit);
    return {
      items: items.map(({ id, sortedAtMs }) => ({ call_id: id, call_status: 'ended', start_timestamp: sortedAtMs })),
      has_more: next !== undefined,
      pagination_key: next ?? null,
    };
  },
};

const vapi: StandIn = {
  oddities: [
    { id: 'scheduled long before', sortedAtMs: TO_MS - 200 * DAY_MS, startedAtMs: TO_MS - 3 * DAY_MS },
    { id: 'started before it was made', sortedAtMs: TO_MS - 3 * DAY_MS, startedAtMs: TO_MS - 30 * DAY_MS },
    { id: 'never connected', sortedAtMs: TO_MS - 20 * DAY_MS, startedAtMs: null },
    { id: 'over before the listing', sortedAtMs: TO_MS - 61 * DAY_MS, startedAtMs: TO_MS - 61 * DAY_MS },
  ],
  answer({ path, query }, held, isWide) {
    if (path === '/assistant/agent') return { id: 'agent' };
    if (path !== '/call') return undefined;
    const bound = (name: string, other: number) => (query.has(name) ? Date.parse(query.get(name) ?? '') : other);
    const createdGe = isWide ? Number.NEGATIVE_INFINITY : bound('createdAtGe', Number.NEGATIVE_INFINITY);
    const createdLe = bound('createdAtLe', Number.POSITIVE_INFINITY);
    const updatedGe = isWide ? Number.NEGATIVE_INFINITY : bound('updatedAtGe', Number.NEGATIVE_INFINITY);
    const isListed = ({ sortedAtMs, startedAtMs }: Held) =>
      sortedAtMs !== null &&
      sortedAtMs >= createdGe &&
      sortedAtMs <= createdLe &&
      Math.max(sortedAtMs, startedAtMs ?? sortedAtMs) >= updatedGe;
    const { items } = pageAfter(newestFirst(held.filter(isListed)), undefined, Number(query.get('limit')));
    return items.map(({ id, sortedAtMs, startedAtMs = sortedAtMs }) => ({
      id,
      assistantId: 'agent',
      status: 'ended',
      createdAt: iso(sortedAtMs ?? 0),
      ...(startedAtMs === null ? {} : { startedAt: iso(startedAtMs) }),
    }));
  },
};

const elevenlabs: StandIn = {
  oddities: [
    { id: 'without a start', sortedAtMs: null },
    { id: 'a second before the listing', sortedAtMs: TO_MS - 60 * DAY_MS - 1_000 },
    { id: 'a day after it', sortedAtMs: TO_MS + DAY_MS },
  ],
  answer({ query }, held, isWide) {
    const bound = (name: string, other: number) => (query.has(name) ? Number(query.get(name)) * 1_000 : other);
    const after = bound('call_start_after_unix', Number.NEGATIVE_INFINITY);
    const before = bound('call_start_before_unix', Number.POSITIVE_INFINITY);
    const secondsOf = (ms: number) => Math.floor(ms / 1_000) * 1_000;
    const isListed = ({ sortedAtMs: at }: Held) =>
      isWide || at === null || (secondsOf(at) >= after && secondsOf(at) <= before);
    const size = Number(query.get('page_size'));
    const { items, next } = pageAfter(newestFirst(held.filter(isListed)), query.get('cursor') ?? undefined, size);
    return {
      conversations: items.map(({ id, sortedAtMs }) => ({
        conversation_id: id,
        status: 'done',
        start_time_unix_secs: sortedAtMs === null ? null : Math.floor(sortedAtMs / 1_000),
      })),
      has_more: next !== undefined,
      next_cursor: next ?? null,
    };
  },
};

let outbound: Outbound;
let server: ScriptedServer;
beforeAll(() => {
  outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
});
afterAll(() => outbound.close());
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const common = { digestSecret: (secret: string) => secret, nowMs: () => TO_MS };
const PLATFORMS: Record<string, { standIn: StandIn; open(): PlatformAdapter }> = {
  retell: {
    standIn: retell,
    open: () => createRetellAdapter({ ...common, outbound, platform: 'retell', label: 'Retell', defaultBaseUrl: null }),
  },
  vapi: { standIn: vapi, open: () => createVapiAdapter({ ...common, outbound }) },
  elevenlabs: {
    standIn: elevenlabs,
    open: () => createElevenLabsAdapter({ ...common, outbound }),
  },
};

/** Calls at random, thick and thin by turns, some at one moment, some right on the edges of slices. */
function someCalls(random: () => number, edges: readonly number[]): Held[] {
  const at = (ms: number, nth: number): Held => ({ id: `call ${nth}`, sortedAtMs: Math.round(ms) });
  const spread = Array.from({ length: 60 }, () => TO_MS - random() * 60 * DAY_MS);
  const thick = Array.from({ length: 30 }, () => TO_MS - 12 * DAY_MS - random() * 3_600_000);
  const near = edges.flatMap((edge) => [edge - 1_000, edge - 1, edge, edge, edge + 1, edge + 999]);
  return [...spread, ...thick, ...near].map(at);
}

describe.each(Object.keys(PLATFORMS))('%s', (platform) => {
  const { standIn, open } = PLATFORMS[platform] as (typeof PLATFORMS)[string];

  async function walk(slice: Slice | undefined, pageSize: number): Promise<{ items: CallListing[]; pages: number }> {
    const adapter = open();
    const items: CallListing[] = [];
    let cursor: string | null = null;
    for (let pages = 1; ; pages += 1) {
      const query = { providerAgentId: 'agent', ...LISTING, slice, cursor, pageSize };
      const page = await adapter.listCalls({ baseUrl: server.url, apiKey: 'key' }, query);
      if (page.stalled || pages > 200) throw new Error(`The walk of ${JSON.stringify(slice)} goes round in circles.`);
      items.push(...page.items);
      cursor = page.nextCursor;
      if (cursor === null) return { items, pages };
    }
  }

  async function walkSlices(pageSize: number): Promise<{ items: CallListing[]; slices: Slice[] }> {
    const items: CallListing[] = [];
    const slices: Slice[] = [];
    for (let slice: Slice | null = firstSlice(LISTING); slice; ) {
      const part = await walk(slice, pageSize);
      slices.push(slice);
      items.push(...part.items);
      slice = nextSlice(LISTING, slice, part.pages);
    }
    return { items, slices };
  }

  const names = (items: readonly CallListing[]) => items.map(({ providerCallId }) => providerCallId).toSorted();

  test.each([false, true])(
    'slices list each call that one listing lists, as often (bounds ignored: %s)',
    async (isWide) => {
      for (let start = 1; start <= 8; start += 1) {
        const random = randomFrom(start);
        const edges = [7, 14, 21, 35, 60].map((days) => TO_MS - days * DAY_MS);
        const held = [...someCalls(random, edges), ...standIn.oddities];
        server.answerWith((request) => ({ json: standIn.answer(request, held, isWide) ?? {} }));
        const pageSize = 2 + Math.floor(random() * 60);
        const one = await walk(undefined, pageSize);
        const { items, slices } = await walkSlices(pageSize);
        expect(slices.length).toBeGreaterThan(2);
        expect(one.items.length).toBeGreaterThan(90);
        expect(names(items)).toEqual(names(one.items));
      }
    },
  );

  test('the newest come first, whatever slice they are in', async () => {
    const held = someCalls(randomFrom(99), []);
    server.answerWith((request) => ({ json: standIn.answer(request, held, false) ?? {} }));
    const { items } = await walkSlices(10);
    const starts = items.map(({ startedAt }) => Date.parse(startedAt ?? ''));
    expect(starts).toEqual(starts.toSorted((a, b) => b - a));
  });
});
