import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertReanalysis, loadReanalysis } from '../../src/db/reanalyses/reanalyses.ts';
import { ANALYSER_VERSION } from '../../src/domain/signals/analyser-version.ts';
import type { Thresholds } from '../../src/domain/signals/detector-input.ts';
import { retellCall } from '../support/stand-in-platform.ts';
import { type ActivityWorld, openActivityWorld } from './world.ts';

const CODE = 'cost_outlier';
let world: ActivityWorld;
beforeEach(async () => {
  world = await openActivityWorld();
});
afterEach(() => world.close());

const storePage = (request: Parameters<typeof world.run<'storeCallPage'>>[1]) => world.run('storeCallPage', request);

/** Imports calls of these costs and groups, as an import's workflow does. */
async function importCosting(costs: Record<string, number>): Promise<void> {
  for (const [id, costCents] of Object.entries(costs)) world.platform.calls.set(id, retellCall(id, { costCents }));
  const importId = await world.newImport('manual');
  const plan = { kind: 'manual', source: 'platform', from: null, to: null } as const;
  for (let cursor: string | null = null; ; ) {
    const request = { ...world.agent, importId, plan, cursor, take: null, partial: null };
    const page: Awaited<ReturnType<typeof storePage>> = await storePage(request);
    if (!page.done) throw new Error('The page waits.');
    const { callIds } = page.totals;
    if (callIds.length > 0) await world.run('analyseCalls', { ...world.agent, callIds });
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  await world.run('regroup', { ...world.agent, mode: 'incremental' });
}

const usual = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`usual_${at}`, 10 + (at % 5)]));
const found = async () =>
  (
    await world.rows(sql<{ id: string }>`select provider_call_id as id from calls
      where agent_id = ${world.agent.agentId} and ${CODE} = any(signal_codes) order by 1`)
  ).map(({ id }) => id);

/** What a re-analysis would change, were it switched on now. */
async function reportOf(thresholds: Thresholds | null) {
  const em = world.database.within(world.agent.workspaceId);
  const made = { ...world.agent, analyserVersion: ANALYSER_VERSION, thresholds, appliesItself: false, createdBy: null };
  const reanalysisId = (await insertReanalysis(em, made)) ?? '';
  const request = { ...world.agent, reanalysisId };
  for (let over = false; !over; ) over = (await world.run('readWindowAgain', request)).over;
  await world.run('reportReanalysis', request);
  const report = (await loadReanalysis(em, reanalysisId))?.report;
  await sql`delete from reanalyses where id = ${reanalysisId}`.execute(world.database.em().getKysely());
  return report;
}

test('a dear call is found with the grouping of the import that brings enough calls to compare it with', async () => {
  await importCosting({ ...usual(60), dear: 300 });
  expect(await found()).toEqual([]);
  await importCosting(usual(140));
  expect(await found()).toEqual(['dear']);
});

test('reading everything again changes nothing about dear calls, and other settings say what they would change', async () => {
  await importCosting({ ...usual(240), dear: 40, dearer: 900 });
  expect(await found()).toEqual(['dear', 'dearer']);
  expect(await reportOf(null)).toMatchObject({ calls: { read: 242, changed: 0 }, codes: [] });
  const stricter = { [CODE]: { timesMedian: 15, timesMedianLeast: 10 } };
  expect(await reportOf(stricter)).toMatchObject({
    calls: { changed: 1 },
    codes: [{ code: CODE, removed: 1, kept: 1 }],
  });
  const never = { [CODE]: { calls: 1_000 } };
  expect(await reportOf(never)).toMatchObject({ calls: { changed: 2 }, codes: [{ code: CODE, removed: 2, kept: 0 }] });
});
