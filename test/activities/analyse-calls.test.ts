import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAnalyser } from '../../src/analyser/analyser.ts';
import { retellCall } from '../support/stand-in-platform.ts';
import { type ActivityWorld, openActivityWorld } from './world.ts';

const POISON = new URL('../support/poison-process.ts', import.meta.url);
let world: ActivityWorld;
beforeEach(async () => {
  world = await openActivityWorld();
});
afterEach(() => world.close());

async function storeCalls(ids: string[]): Promise<string[]> {
  for (const id of ids) world.platform.calls.set(id, retellCall(id));
  const importId = await world.newImport('manual');
  const page = await world.run('storeCallPage', {
    ...world.agent,
    importId,
    plan: { kind: 'manual', source: 'platform', from: null, to: null },
    cursor: null,
    take: null,
    partial: null,
  });
  if (!page.done) throw new Error('the page waits');
  return page.totals.callIds;
}

const stateOf = async (id: string) => {
  const [row] = await world.rows(
    sql<{ state: string; reason: string | null }>`
      select state, state_reason as reason from calls where provider_call_id = ${id}`,
  );
  return row;
};

test('a window is analysed once, and a second attempt says the same', async () => {
  const callIds = await storeCalls(['a', 'b', 'c']);
  const first = await world.run('analyseCalls', { ...world.agent, callIds });
  const second = await world.run('analyseCalls', { ...world.agent, callIds }, 2);
  expect(first).toEqual({ analysed: 3, failed: 0, reasons: [], held: null, note: null });
  expect(second).toEqual(first);
  const [counts] = await world.rows(
    sql<{ calls: number }>`select call_count as calls from agents where id = ${world.agent.agentId}`,
  );
  expect(counts?.calls).toBe(3);
});

test('a call that throws, loops or exhausts its memory is put aside with its reason, and its neighbours finish', async () => {
  const callIds = await storeCalls(['good_1', 'throws', 'loops', 'exhausts', 'good_2']);
  const analyser = createAnalyser({ processes: 2, timeLimitMs: 12_000, memoryMb: 256, entry: POISON });
  const result = await world.run('analyseCalls', { ...world.agent, callIds }, 1, { ...world.deps, analyser });
  await analyser.close();
  expect(result).toMatchObject({ analysed: 2, failed: 3 });
  expect(await stateOf('good_1')).toEqual({ state: 'analysed', reason: null });
  expect(await stateOf('throws')).toEqual({
    state: 'failed',
    reason: 'The analysis stopped with an error (RangeError: poison).',
  });
  expect(await stateOf('loops')).toEqual({
    state: 'failed',
    reason: 'The analysis did not end within 12 s and was stopped.',
  });
  expect(await stateOf('exhausts')).toEqual({
    state: 'failed',
    reason: 'The analysis needed more than 256 MB and was stopped.',
  });
});

test('a call that PostgreSQL has no room to store is never put aside, and is read once there is room', async () => {
  const callIds = await storeCalls(['unlucky']);
  await world.rows(sql`create function full_disk() returns trigger language plpgsql as
    $$ begin raise exception 'No space left on device' using errcode = 'disk_full'; end $$`);
  await world.rows(sql`create trigger full_disk before update on calls for each row
    when (new.state = 'analysed') execute function full_disk()`);
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const tried = world.run('analyseCalls', { ...world.agent, callIds }, attempt);
    await expect(tried).rejects.toThrow('PostgreSQL does not answer');
  }
  await world.rows(sql`drop trigger full_disk on calls`);
  expect(await world.run('analyseCalls', { ...world.agent, callIds }, 5)).toMatchObject({ analysed: 1, failed: 0 });
});

test('a call during which the process ended five times is put aside, and the others of its window are analysed', async () => {
  const callIds = await storeCalls(['innocent', 'unfortunate', 'deadly']);
  await world.rows(sql`update calls set analysis_tries = 4 where provider_call_id = 'unfortunate'`);
  await world.rows(sql`update calls set analysis_tries = 5 where provider_call_id = 'deadly'`);
  const result = await world.run('analyseCalls', { ...world.agent, callIds }, 6);
  expect(result).toMatchObject({ analysed: 2, failed: 1 });
  expect(await stateOf('deadly')).toEqual({
    state: 'failed',
    reason: 'The analysing process ended 5 times during this call, so it was put aside.',
  });
});

test('what a crash left waiting is found again, oldest first', async () => {
  const callIds = await storeCalls(['left_1', 'left_2']);
  const request = { ...world.agent, importId: await world.newImport('poll'), limit: 10 };
  // While their own import is open they are its own.
  expect(await world.run('waitingCalls', request)).toEqual({ own: [], others: [], held: null });
  await world.rows(sql`update imports set status = 'failed' where kind = 'manual'`);
  const found = await world.run('waitingCalls', request);
  expect(found.own).toEqual([]);
  expect(new Set(found.others)).toEqual(new Set(callIds));
  await world.run('analyseCalls', { ...world.agent, callIds });
  expect(await world.run('waitingCalls', request)).toEqual({ own: [], others: [], held: null });
});
