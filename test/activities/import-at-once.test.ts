import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ImportedAtOnce } from '../../activities/import-calls/import-at-once.ts';
import { retellCall } from '../support/stand-in-platform.ts';
import { type ActivityWorld, openActivityWorld } from './world.ts';

const CALLS = 3;
let world: ActivityWorld;
beforeEach(async () => {
  world = await openActivityWorld();
  for (let at = 0; at < CALLS; at += 1) world.platform.calls.set(`call_${at}`, retellCall(`call_${at}`, {}));
});
afterEach(() => world.close());

async function importAtOnce(deps = world.deps) {
  const importId = await world.newImport('poll');
  const request = { ...world.agent, importId, attempt: 1, versionsTaken: true, asking: { isPressed: false } };
  return world.run('importAtOnce', request, 1, deps);
}

const storedBy = ({ pages }: ImportedAtOnce) => pages.flatMap((page) => (page.done ? page.totals.callIds : []));

test('a small import is stored, analysed and grouped by one activity', async () => {
  const done = await importAtOnce();
  expect(done).toMatchObject({ versionsTaken: true, analysed: { analysed: CALLS, failed: 0 }, isSettled: true });
  expect(storedBy(done)).toHaveLength(CALLS);
});

test('an analysis that fails is left to the workflow, with the calls that are stored counted', async () => {
  const analyser = {
    ...world.deps.analyser,
    analyseAndJudge: () => Promise.reject(new TypeError('a fault of ours')),
  };
  const done = await importAtOnce({ ...world.deps, analyser });
  expect(done).toMatchObject({ versionsTaken: true, analysed: null, isSettled: false });
  expect(storedBy(done)).toHaveLength(CALLS);
});

test('a platform that refuses is left to the workflow, which says so', async () => {
  world.platform.always = { status: 401 };
  expect(await importAtOnce()).toMatchObject({ pages: [], analysed: null, isSettled: false });
});
