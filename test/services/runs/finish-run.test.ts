import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { runResult } from '../../../src/contract/run-result.ts';
import { findRunResult } from '../../../src/db/runs/run-documents.ts';
import { NO_MODELS } from '../../../src/models/registry.ts';
import { finishRescore, finishRun } from '../../../src/services/runs/finish-run.ts';
import type { AttemptKey } from '../../../src/temporal/run-tests.ts';
import { booked, byCode, refused } from '../../support/judged.ts';
import { openScoringWorld, type ScoringWorld } from '../../support/scoring.ts';

let world: ScoringWorld;
beforeAll(async () => {
  world = await openScoringWorld();
});
afterAll(() => world?.close());

const withoutModels = (): ActivityDeps => ({ ...world.deps, models: NO_MODELS });

describe('the document of a run', () => {
  async function settle(keys: AttemptKey[], calls: (typeof booked)[], deps = world.deps) {
    for (const [at, key] of keys.entries()) {
      for (const attempt of [1, 2]) {
        await world.play({ ...key, attempt }, calls[at] ?? booked);
        if ((await world.score({ ...key, attempt }, deps)).cell === 'done') break;
      }
    }
  }

  async function inForce(runId: string) {
    const { workspaceId, agentId } = world.agent;
    const scope = { workspaceId, agentIds: [agentId] };
    return (await findRunResult(world.database.within(workspaceId), scope, runId))?.document;
  }

  test('fits the contract, is stored byte for byte, and comes out the same again', async () => {
    const keys = await world.run(byCode, 2);
    await settle(keys, [booked, refused]);
    const runId = keys[0]?.runId ?? '';
    const { document, body, sha256 } = await world.finish(runId);
    expect(runResult.parse(document)).toEqual(document);
    expect(document).toMatchObject({ batchId: runId, status: 'complete', comparedTo: null });
    expect(document.summary).toMatchObject({ cells: 2, passed: 1, failed: 1, notRun: 0 });
    expect(document.cost).toEqual({ platformUsd: 0.06, serviceUsd: 0 });
    expect(sha256).toBe(createHash('sha256').update(body).digest('hex'));
    expect(await inForce(runId)).toMatchObject({ body, sha256 });
    expect((await world.finish(runId)).body).toBe(body);
    const [row] = await world.rows(sql`select summary, epoch from runs where id = ${runId}`);
    expect(row).toMatchObject({ summary: { cells: 2, scored: 2, passRate: 0.5 }, epoch: document.epoch });
  });

  test('is compared with the last results of its cells of the same epoch', async () => {
    const before = await world.run(byCode, 2);
    await settle(before, [booked, refused]);
    const first = await world.finish(before[0]?.runId ?? '');
    const after = await world.runAgain(before);
    await settle(after, [refused, booked]);
    const { document } = await world.finish(after[0]?.runId ?? '');
    expect(document.comparedTo).toEqual({ batchId: first.document.batchId, version: 1 });
    expect(document.cells.map(({ change }) => change)).toEqual(['newly_broken', 'fixed']);
    expect(document.summary).toMatchObject({ newlyBroken: 1, fixed: 1 });
  });

  test('is compared cell by cell, after partial runs too', async () => {
    const all = await world.run(byCode, 2);
    await settle(all, [booked, refused]);
    await world.finish(all[0]?.runId ?? '');
    const part = await world.runAgain(all.slice(0, 1));
    await settle(part, [booked]);
    const partial = await world.finish(part[0]?.runId ?? '');
    expect(partial.document.cells.map(({ change }) => change)).toEqual(['unchanged']);
    const after = await world.runAgain(all);
    await settle(after, [refused, booked]);
    const { document } = await world.finish(after[0]?.runId ?? '');
    expect(document.comparedTo).toEqual({ batchId: part[0]?.runId, version: 1 });
    expect(document.cells.map(({ change }) => change)).toEqual(['newly_broken', 'fixed']);
    expect(document.summary).toMatchObject({ newlyBroken: 1, fixed: 1 });
  });

  test('is not compared with a run of another epoch, and says so', async () => {
    const before = await world.run(byCode, 2);
    await settle(before, [booked, refused], withoutModels());
    const first = await world.finish(before[0]?.runId ?? '');
    const after = await world.runAgain(before);
    await settle(after, [refused, booked]);
    const { document } = await world.finish(after[0]?.runId ?? '');
    expect(document.comparedTo).toBeNull();
    expect(document.cells.map(({ change }) => change)).toEqual([null, null]);
    expect(document.message).toBe(
      `Not compared with run ${first.document.batchId}, which another epoch scored: judge none there, small-one here.`,
    );
  });

  test('of a rescore takes the place of the one before in one step, with its own epoch', async () => {
    const keys = await world.run(byCode, 2);
    await settle(keys, [booked, refused]);
    const runId = keys[0]?.runId ?? '';
    const own = await world.finish(runId);
    const [first, second] = keys;
    if (!first || !second) throw new Error('no cells');
    for (const key of [first, second, { ...second, attempt: 2 }]) {
      await world.score({ ...key, rescore: 1 }, withoutModels());
      expect((await inForce(runId))?.body).toBe(own.body);
    }
    const again = await world.finish(runId, 1);
    expect(await inForce(runId)).toMatchObject({ score: 1, body: again.body, sha256: again.sha256 });
    expect(own.document.epoch.judgeModel).toBe('small-one');
    expect(again.document.epoch.judgeModel).toBe('none');
    expect(again.document.cells.map(({ result }) => result)).toEqual(own.document.cells.map(({ result }) => result));
  });

  test('says of a cell that a cancelled run did not play why, also after a rescore', async () => {
    const keys = await world.run(byCode, 2);
    const runId = keys[0]?.runId ?? '';
    await settle(keys.slice(0, 1), [booked]);
    await world.rows(sql`update runs set status = 'running' where id = ${runId}`);
    const em = world.database.within(world.agent.workspaceId);
    await finishRun(em, { ...world.agent, runId, outcome: { how: 'cancelled' } });
    const why = 'Cancelled by a person: 1 of 2 cells were complete, the others were not run.';
    const reasonOf = async () => JSON.parse((await inForce(runId))?.body ?? '').cells[1].reason;
    expect(await reasonOf()).toBe(why);
    await world.rows(sql`update runs set rescoring = true, rescores = 1 where id = ${runId}`);
    await finishRescore(em, { ...world.agent, runId, nth: 1, failed: null });
    expect(await inForce(runId)).toMatchObject({ score: 1 });
    expect(await reasonOf()).toBe(why);
  });
});
