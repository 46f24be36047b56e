import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PageRequest, PageResult } from '../../activities/import-calls/page.ts';
import { type Analyser, AnalysisFailed } from '../../src/analyser/analyser.ts';
import { storeUploadedLines } from '../../src/db/imports/import-records.ts';
import { createVault } from '../../src/secrets.ts';
import { FAILURE_TYPES } from '../../src/temporal/failures.ts';
import { retellCall } from '../support/stand-in-platform.ts';
import { type ActivityWorld, openActivityWorld } from './world.ts';

let world: ActivityWorld;
let request: PageRequest;
beforeEach(async () => {
  world = await openActivityWorld();
  request = {
    ...world.agent,
    importId: await world.newImport('first'),
    plan: {
      kind: 'first',
      source: 'platform',
      from: new Date(Date.now() - 86_400_000).toISOString(),
      to: new Date().toISOString(),
    },
    cursor: null,
    take: null,
    partial: null,
  };
});
afterEach(() => world.close());

const storePage = (changes: Partial<PageRequest> = {}) => world.run('storeCallPage', { ...request, ...changes });
const totalsOf = (result: PageResult) => {
  if (!result.done) throw new Error(`the page waits: ${result.wait.message}`);
  return result.totals;
};
const callCount = async () => {
  const [row] = await world.rows(sql<{ calls: number }>`select count(*)::int as calls from calls`);
  return row?.calls;
};

test('a second attempt at a page stores nothing twice and says the same', async () => {
  for (let at = 0; at < 30; at += 1) world.platform.calls.set(`call_${at}`, retellCall(`call_${at}`));
  const first = totalsOf(await storePage());
  const second = totalsOf(await storePage());
  expect(second).toEqual(first);
  expect(first).toMatchObject({ listed: 30, unchanged: 0, failed: 0 });
  expect(first.callIds).toHaveLength(30);
  expect(await callCount()).toBe(30);
});

test('the result of a full page stays small, and the page sends heartbeats', async () => {
  for (let at = 0; at < 120; at += 1) world.platform.calls.set(`call_${at}`, retellCall(`call_${at}`));
  const result = await storePage();
  expect(JSON.stringify(result).length).toBeLessThan(10_000);
  expect(totalsOf(result).listed).toBe(100);
  expect(world.heartbeats.length).toBeGreaterThan(0);
});

test('a rate limit in the middle keeps what was read, and the next try reads only the rest', async () => {
  for (let at = 0; at < 40; at += 1)
    world.platform.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 60 + at }));
  const limited = Promise.withResolvers<void>();
  const watch = setInterval(() => {
    if (world.platform.log.length < 15) return;
    world.platform.always = { status: 429, headers: { 'retry-after': '30' } };
    clearInterval(watch);
    limited.resolve();
  }, 1);
  world.platform.delayMs = 10;
  const result = await storePage();
  await limited.promise;
  if (result.done) throw new Error('the page did not wait');
  expect(result.wait).toMatchObject({ rateLimited: true, retryAfterMs: 30_000 });
  expect(result.partial.handled.length).toBeGreaterThan(5);
  const readBefore = new Set(result.partial.handled);

  world.platform.always = null;
  world.platform.log.length = 0;
  await world.rows(sql`update platform_connections set limited_until = null, live_limited_until = null`);
  const totals = totalsOf(await storePage({ partial: result.partial }));
  expect(totals).toMatchObject({ listed: 40, unchanged: 0 });
  expect(new Set(totals.callIds).size).toBe(40);
  expect([...readBefore].some((callId) => world.platform.reads(callId) > 0)).toBe(false);
});

test('a list that lacks what it showed before the wait still counts what was taken of it', async () => {
  for (let at = 0; at < 30; at += 1) world.platform.calls.set(`call_${at}`, { kind: 'status', status: 503 });
  const first = 'newest';
  world.platform.calls.set(first, retellCall(first, { minutesAgo: 1 }));
  const waiting = await storePage();
  if (waiting.done) throw new Error('the page did not wait');
  expect(waiting.partial).toMatchObject({ listed: 1, handled: [first] });
  world.platform.calls.clear();
  const totals = totalsOf(await storePage({ partial: waiting.partial }));
  expect(totals).toMatchObject({ listed: 1, callIds: [expect.any(String)] });
});

test('one call that the platform never answers is kept with its reason at the third try, and never stops its page', async () => {
  world.platform.calls.set('good', retellCall('good'));
  world.platform.calls.set('broken', { kind: 'status', status: 502 });
  world.platform.calls.set('page_instead', { kind: 'html' });
  let result = await storePage();
  expect(result).toMatchObject({
    wait: { message: expect.stringMatching(/ \((broken, page_instead|page_instead, broken), try 1 of 3\)\.$/) },
  });
  let tries = 1;
  for (; !result.done && tries < 5; tries += 1) result = await storePage({ partial: result.partial });
  expect(tries).toBe(3);
  const totals = totalsOf(result);
  expect(totals).toMatchObject({ listed: 3, failed: 2 });
  expect(totals.callIds).toHaveLength(1);
  expect(totals.reasons.map(({ reason }) => reason).sort()).toEqual([
    'Retell answered reading a call with something other than JSON.',
    'Retell could not answer reading a call just now (502).',
  ]);
});

test('a call too large to be read is parked with its size at once, and the others of its page come', async () => {
  for (const id of ['a', 'b', 'c']) world.platform.calls.set(id, retellCall(id));
  const huge = retellCall('huge');
  if (huge.kind !== 'call') throw new Error('no call');
  const payload = { ...huge.payload, metadata: { note: 'x'.repeat(9 * 1024 ** 2) } };
  world.platform.calls.set('huge', { kind: 'call', payload });
  const totals = totalsOf(await storePage());
  expect(totals).toMatchObject({ listed: 4, failed: 1 });
  expect(totals.callIds).toHaveLength(3);
  expect(totals.reasons).toEqual([
    { reason: 'Retell answered reading a call with 9.0 MiB, which is too large.', calls: 1 },
  ]);
});

test('when most calls get no answer the platform is away: no call is given up', async () => {
  for (let at = 0; at < 20; at += 1) world.platform.calls.set(`call_${at}`, { kind: 'status', status: 503 });
  let result = await storePage();
  for (let tries = 0; tries < 6 && !result.done; tries += 1) result = await storePage({ partial: result.partial });
  expect(result).toMatchObject({ done: false, partial: { failed: 0 } });
});

test.each([
  [503, FAILURE_TYPES.platformWaits, true],
  [429, FAILURE_TYPES.platformWaits, true],
  [401, FAILURE_TYPES.platformRefuses, true],
  [404, FAILURE_TYPES.platformWaits, true],
  [422, FAILURE_TYPES.platformRefuses, true],
])('a list that answers %i fails as %s, and Temporal does not retry it blindly', async (status, type, nonRetryable) => {
  world.platform.always = { status };
  await expect(storePage()).rejects.toMatchObject({ type, nonRetryable });
});

test('a poll reads new calls, and known ones only when they came to an age at which their analysis changes', async () => {
  for (const id of ['known', 'aged']) world.platform.calls.set(id, retellCall(id));
  await storePage();
  await world.rows(
    sql`update calls set created_at = now() - interval '10 minutes 10 seconds' where provider_call_id = 'aged'`,
  );
  await world.rows(sql`update calls set created_at = now() - interval '5 minutes' where provider_call_id = 'known'`);
  world.platform.calls.set('new', retellCall('new'));
  world.platform.log.length = 0;
  const to = new Date();
  const from = new Date(to.getTime() - 2 * 3_600_000 - 60_000).toISOString();
  const totals = totalsOf(await storePage({ plan: { kind: 'poll', source: 'platform', from, to: to.toISOString() } }));
  expect(totals).toMatchObject({ listed: 3, unchanged: 1 });
  expect([world.platform.reads('new'), world.platform.reads('aged'), world.platform.reads('known')]).toEqual([1, 1, 0]);
});

test('a call that goes on is left for the next poll, and the bookmark stays before it', async () => {
  world.platform.calls.set('going_on', { kind: 'ongoing' });
  world.platform.calls.set('over', retellCall('over'));
  const totals = totalsOf(await storePage());
  expect(totals).toMatchObject({ listed: 2, ongoing: 1, oldestOngoingAt: expect.stringMatching(/^20/) });
  expect(world.platform.reads('going_on')).toBe(0);
  const key = { workspaceId: world.agent.workspaceId, importId: request.importId, attempt: 1 };
  const begun = await world.run('beginImport', key);
  if (!begun) throw new Error('the import is over');
  const standing = { ...begun.standing, listingEnded: true, oldestOngoingAt: totals.oldestOngoingAt };
  await world.run('saveImport', { ...key, standing, status: 'running', waitsFor: null });
  await world.run('finishImport', { ...key, status: 'complete', reason: null });
  const [agent] = await world.rows(sql<{ held: boolean }>`
    select bookmark_at = ${totals.oldestOngoingAt}::timestamptz as held from agents where id = ${world.agent.agentId}`);
  expect(agent?.held).toBe(true);
});

test('a look for calls is all of a quiet poll, and leaves what is new or goes wrong to an import', async () => {
  const { workspaceId } = world.agent;
  const look = () => world.run('lookForCalls', world.agent);
  const rows = () =>
    world.rows(sql<{ status: string; attempt: number; listed: number; isAfter: boolean }>`
      select p.status, p.attempt, p.listed, a.bookmark_at = p.window_to as "isAfter"
      from imports p join agents a on a.id = p.agent_id where p.kind = 'poll'`);
  expect(await look()).toBeNull();

  const first = { workspaceId, importId: request.importId, attempt: 1 };
  await world.run('beginImport', first);
  await world.run('finishImport', { ...first, status: 'complete', reason: null });
  expect(await look()).toEqual({ request: null, versionsTaken: true, heldUntil: null, open: [] });
  expect(await rows()).toEqual([{ status: 'complete', attempt: 1, listed: 0, isAfter: true }]);

  world.platform.always = { status: 503 };
  const stuck = await look();
  expect(stuck).toMatchObject({ request: { attempt: 2 }, versionsTaken: false });
  world.platform.always = null;
  expect(await look()).toMatchObject({ request: null });
  expect(await rows()).toMatchObject([{ status: 'queued', attempt: 2 }]);
  world.platform.calls.set('new', retellCall('new', { minutesAgo: 0.1 }));
  expect(await look()).toBeNull();

  if (!stuck?.request) throw new Error('the look ordered no import');
  await world.run('finishImport', { ...stuck.request, workspaceId, status: 'failed', reason: 'It did not answer.' });
  expect(await look()).toMatchObject({ request: { attempt: 3 }, versionsTaken: true });
});

test('lines that were sealed under another secret fail the page, and stay for a worker that can open them', async () => {
  const vault = createVault('another secret, of 32 characters or more');
  const lines = {
    ...request,
    importId: await world.newImport('file'),
    plan: { ...request.plan, source: 'file' } as const,
  };
  const text = JSON.stringify({ id: 'sent', turns: [{ role: 'caller', text: 'I need help.' }] });
  const em = world.database.within(world.agent.workspaceId);
  await storeUploadedLines(em, lines.importId, [{ line: 1, sealedPayload: vault.seal(text) }]);
  await expect(world.run('storeCallPage', lines)).rejects.toThrow('EARSHOT_SECRET');
  expect(await world.rows(sql`select ref from import_failures`)).toEqual([]);
  const told = totalsOf(await world.run('storeCallPage', lines, 2, { ...world.deps, vault }));
  expect(told).toMatchObject({ listed: 1, failed: 0, callIds: [expect.any(String)] });
});

test('a workspace that keeps what it may takes no page, and says what helps', async () => {
  world.platform.calls.set('call', retellCall('call'));
  const full = { ...world.deps, storageMib: 0 };
  await expect(world.run('storeCallPage', request, 1, full)).rejects.toMatchObject({
    type: FAILURE_TYPES.storageFull,
    nonRetryable: true,
    message: expect.stringMatching(/may keep 0 MiB\. Erase calls, .* Then retry the import\.$/),
  });
  expect(world.platform.log).toEqual([]);
  expect(totalsOf(await storePage())).toMatchObject({ listed: 1 });
});

test('what is left out of a record is worked out in a process of its own, and a record on which that ends is a reason', async () => {
  world.platform.calls.set('call_0', retellCall('call_0'));
  world.platform.calls.set('call_1', retellCall('call_1'));
  await world.rows(
    sql`update agents set settings = settings || '{"redaction": {"kinds": ["card"], "patterns": []}}'
      where id = ${world.agent.agentId} returning id`,
  );
  const analyser: Analyser = {
    ...world.deps.analyser,
    async redactRecord(workspaceId, rules, record) {
      if (record.state === 'call' && record.call.providerCallId === 'call_1')
        throw new AnalysisFailed('It took too long.');
      return world.deps.analyser.redactRecord(workspaceId, rules, record);
    },
  };
  const totals = totalsOf(await world.run('storeCallPage', request, 1, { ...world.deps, analyser }));
  expect(totals).toMatchObject({ listed: 2, failed: 1 });
  const failures = await world.rows(sql`select reason, sealed_payload from import_failures`);
  expect(failures).toEqual([
    { reason: 'The record could not be redacted, so nothing of it is stored. It took too long.', sealed_payload: null },
  ]);
});

test('a large payload becomes a call in a process of its own, and one on which that ends is a reason', async () => {
  const caller = 'I would like a table. '.repeat(2_000);
  for (const id of ['small', 'large', 'endless'])
    world.platform.calls.set(id, retellCall(id, id === 'small' ? {} : { caller }));
  const analyser: Analyser = {
    ...world.deps.analyser,
    async readPayload(workspaceId, platform, payload, nowMs) {
      if (JSON.stringify(payload).includes('endless')) throw new AnalysisFailed('It took too long.');
      return world.deps.analyser.readPayload(workspaceId, platform, payload, nowMs);
    },
  };
  const totals = totalsOf(await world.run('storeCallPage', request, 1, { ...world.deps, analyser }));
  expect(totals).toMatchObject({ listed: 3, failed: 1 });
  expect(await world.rows(sql`select reason, sealed_payload is not null as kept from import_failures`)).toEqual([
    { reason: 'The record could not be read. It took too long.', kept: true },
  ]);
  expect(await world.rows(sql`select provider_call_id as id from calls order by 1`)).toEqual([
    { id: 'large' },
    { id: 'small' },
  ]);
});
