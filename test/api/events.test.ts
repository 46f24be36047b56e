import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../api/app.ts';
import { readConfig } from '../../src/config.ts';
import { publishEvent } from '../../src/db/events/events.ts';
import { createImport, finishImport, saveImport } from '../../src/db/imports/imports.ts';
import { createServices } from '../../src/operations/create-services.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

let world: World;
let first: string;
let second: { address: string; close(): Promise<void> };

beforeAll(async () => {
  world = await createWorld();
  first = await world.app.listen({ host: '127.0.0.1', port: 0 });
  second = await anotherApi();
});
afterAll(async () => {
  await second.close();
  await world.close();
});

/** The same application again, as a second process would have it: nothing shared but the database. */
async function anotherApi() {
  const config = readConfig({
    DATABASE_URL: world.database.url,
    EARSHOT_SECRET: 'a secret of the tests, 32 characters or more',
  });
  const services = createServices({ config, database: world.database, log: pino({ level: 'silent' }) });
  const part = { ok: true, message: 'Answers.' };
  const app = await buildApp({
    services,
    health: {
      database: async () => part,
      readiness: async () => ({ ready: true, database: part, temporal: part, workers: { ...part, seen: 1 } }),
      accepting: () => true,
    },
  });
  return { address: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() };
}

interface Watched {
  id: string;
  kind: string;
  data: Loose;
}

/** Reads a stream of events as a browser would; `until` waits for so many. */
async function watch(address: string, token: string, lastEventId?: string) {
  const ended = new AbortController();
  const answer = await fetch(new URL('/app/events', address), {
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: ended.signal,
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const seen: Watched[] = [];
  let isOver = false;
  const reading = (async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) {
        const [, id, kind, data] = /^id: (\d+)\nevent: (\S+)\ndata: (.*)$/.exec(frame) ?? [];
        if (id && kind && data) seen.push({ id, kind, data: JSON.parse(data) });
      }
    }
  })()
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  return {
    seen,
    isOver: () => isOver,
    async until(count: number) {
      await expect.poll(() => seen.length, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(count);
      return seen;
    },
    async close() {
      ended.abort();
      await reading;
    },
  };
}

const standing = {
  cursor: null,
  listingEnded: false,
  pages: 1,
  counts: { listed: 3, stored: 3, unchanged: 0, analysed: 1, waiting: 0, failed: 0, ongoing: 0, gone: 0 },
  reasons: [],
  oldestOngoingAt: null,
};
const change = (agentId = world.agentId) =>
  world.database.em().transactional((em) => publishEvent(em, { agentId, kind: 'issues.changed', ref: null }));

test('an import is told of while it goes on and when it ends, by every process', async () => {
  const token = await world.token();
  const streams = [await watch(first, token), await watch(second.address, token)];
  for (const stream of streams) await stream.until(1);
  const em = world.database.em();
  const request = await createImport(em, {
    workspaceId: world.workspaceId,
    agentId: world.agentId,
    kind: 'manual',
    limit: null,
    from: null,
  });
  await saveImport(em, request, { standing, status: 'running', waitsFor: null });
  await finishImport(em, request, { status: 'complete', reason: null });
  for (const stream of streams) {
    const seen = await stream.until(3);
    expect(seen.map(({ kind }) => kind)).toEqual(['ready', 'import.progress', 'import.finished']);
    expect(seen[1]?.data).toMatchObject({
      object: 'event',
      id: seen[1]?.id,
      agentId: world.agentId,
      ref: request.importId,
      createdAt: expect.stringMatching(/Z$/),
    });
    await stream.close();
  }
  expect(streams[0]?.seen).toEqual(streams[1]?.seen);
});

test('a stream goes on after the event that was read last, in any process', async () => {
  const token = await world.token();
  const before = await watch(first, token);
  await before.until(1);
  await change();
  const last = (await before.until(2))[1];
  await before.close();
  await change();
  await change();
  const after = await watch(second.address, token, last?.id);
  const seen = await after.until(3);
  expect(seen.map(({ kind }) => kind)).toEqual(['ready', 'issues.changed', 'issues.changed']);
  expect(seen.map(({ id }) => Number(id))).toEqual([0, 1, 2].map((at) => Number(last?.id) + at));
  await after.close();
});

test('who was away for longer than events are kept is told to read anew', async () => {
  const token = await world.token();
  await change();
  await sql`update workspace_events set created_at = now() - interval '25 hours'`.execute(
    world.database.em().getKysely(),
  );
  await change();
  await change();
  const stale = await watch(first, token, '0');
  expect((await stale.until(1))[0]?.kind).toBe('reset');
  const ahead = await watch(first, token, '999999');
  expect((await ahead.until(1))[0]?.kind).toBe('reset');
  const kept = await sql<{ n: number }>`select count(*)::int as n from workspace_events`.execute(
    world.database.em().getKysely(),
  );
  expect(kept.rows[0]?.n).toBeLessThanOrEqual(3);
  await stale.close();
  await ahead.close();
});

test('nothing of another workspace is told, and what is rolled back never happened', async () => {
  const other = await world.makeWorkspace();
  const foreign = await world.makeAgent({ workspaceId: other.workspaceId });
  const stream = await watch(first, await world.token());
  await stream.until(1);
  await change(foreign);
  await world.database
    .em()
    .transactional(async (em) => {
      await publishEvent(em, { agentId: world.agentId, kind: 'issues.changed', ref: foreign });
      throw new Error('not this one');
    })
    .catch(() => {});
  await change();
  const seen = await stream.until(2);
  expect(seen.slice(1).map(({ data }) => [data.agentId, data.ref])).toEqual([[world.agentId, null]]);
  await stream.close();
});

test('many writers at once lose no event and none is told twice', async () => {
  const stream = await watch(first, await world.token());
  await stream.until(1);
  await Promise.all(Array.from({ length: 40 }, () => change()));
  const seen = await stream.until(41);
  const ids = seen.map(({ id }) => Number(id));
  expect(ids).toEqual(ids.map((_, at) => (ids[0] ?? 0) + at));
  await stream.close();
});

test('only people watch, and nobody holds streams without bound', async () => {
  expectFailure(await world.get('/app/events'), 403, 'people_only');
  expectFailure(await world.ask('GET', '/app/events'), 401, 'missing_authorization');
  const token = await world.token();
  expectFailure(
    await world.ask('GET', '/app/events', { as: token, headers: { 'last-event-id': 'x' } }),
    400,
    'invalid_parameter',
    'Last-Event-ID',
  );
  expect((await world.ask('HEAD', '/app/events', { as: token })).status).toBe(200);
  const streams: Awaited<ReturnType<typeof watch>>[] = [];
  for (let at = 0; at < 12; at += 1) {
    const stream = await watch(first, token);
    await stream.until(1);
    streams.push(stream);
  }
  await expect.poll(() => streams.map((stream) => stream.isOver()).indexOf(false)).toBe(2);
  for (const stream of streams) await stream.close();
});

test('a stream that is never quiet ends with its session too', async () => {
  const { workspaceId, personId } = await world.makeWorkspace();
  const stream = await watch(first, await world.token({ workspaceId, personId }));
  await stream.until(1);
  await sql`update sessions set revoked_at = now() where person_id = ${personId}`.execute(
    world.database.em().getKysely(),
  );
  const agentId = await world.makeAgent({ workspaceId });
  await expect
    .poll(async () => (await change(agentId), stream.isOver()), { timeout: 100_000, interval: 500 })
    .toBe(true);
  expect(stream.seen.length).toBeGreaterThan(3);
});

test('streams end with the process', async () => {
  const third = await anotherApi();
  const stream = await watch(third.address, await world.token());
  await stream.until(1);
  await third.close();
  await expect.poll(() => stream.isOver()).toBe(true);
});
