import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCallAllowance } from '../../src/db/limits/allowance.ts';
import { evidenceTables, issueTable } from '../support/evidence-tables.ts';
import { retellCall } from '../support/stand-in-platform.ts';
import { type ActivityWorld, openActivityWorld } from './world.ts';

const CALLS = 24;
let world: ActivityWorld;
beforeEach(async () => {
  world = await openActivityWorld();
  for (let at = 0; at < CALLS; at += 1) {
    const shape = at % 3 === 0 ? { failingTool: 'check_availability' } : {};
    world.platform.calls.set(`call_${at}`, retellCall(`call_${at}`, { minutesAgo: 60 + at, ...shape }));
  }
});
afterEach(() => world.close());

/** One page of an import of its own, as it would be stored. @returns the calls that it has to analyse */
async function storePage(kind: 'manual' | 'poll'): Promise<string[]> {
  const importId = await world.newImport(kind);
  const page = await world.run('storeCallPage', {
    ...world.agent,
    importId,
    plan: { kind, source: 'platform', from: null, to: null },
    cursor: null,
    take: null,
    partial: null,
  });
  if (!page.done) throw new Error('the page waits');
  return page.totals.callIds;
}

const analyse = (callIds: string[]) => world.run('analyseCalls', { ...world.agent, callIds });
const regroup = (mode: 'incremental' | 'full') => world.run('regroup', { ...world.agent, mode });

async function standing() {
  const { agentId } = world.agent;
  const em = world.database.em();
  return { evidence: await evidenceTables(em, agentId), issues: await issueTable(em, agentId) };
}

test('two imports that store, analyse and group the same calls at once count each call once', async () => {
  const pages = await Promise.all([storePage('manual'), storePage('poll')]);
  const callIds = [...new Set(pages.flat())];
  expect(callIds).toHaveLength(CALLS);
  await Promise.all([analyse(callIds), analyse(callIds.toReversed())]);
  await Promise.all([regroup('incremental'), regroup('incremental')]);

  const { agentId, workspaceId } = world.agent;
  const [counted] = await world.rows(sql<{ calls: number; rows: number; failed: number }>`
    select a.call_count as calls, (select count(*)::int from calls c where c.agent_id = a.id) as rows,
      (select volume from issues i where i.agent_id = a.id and i.code = 'tool_failed') as failed
    from agents a where a.id = ${agentId}`);
  expect(counted).toEqual({ calls: CALLS, rows: CALLS, failed: CALLS / 3 });
  expect((await readCallAllowance(world.database.em(), workspaceId)).used).toBe(CALLS);
});

test('what groupings leave that run at once is what one alone leaves after them', async () => {
  const callIds = await storePage('manual');
  const half = CALLS / 2;
  await analyse(callIds.slice(0, half));
  await Promise.all([regroup('incremental'), analyse(callIds.slice(half)), regroup('full'), regroup('incremental')]);
  await regroup('incremental');
  const left = await standing();
  expect(left.evidence.calls).toHaveLength(CALLS);
  expect(await regroup('full')).toMatchObject({ changed: 0 });
  expect(await standing()).toEqual(left);
});
