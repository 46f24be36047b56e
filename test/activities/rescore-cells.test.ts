import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ActivityDeps } from '../../activities/deps.ts';
import type { AttemptKey } from '../../src/temporal/run-tests.ts';
import { answer, booked, byJudge, notMet, refused } from '../support/judged.ts';
import { openScoringWorld, type ScoringWorld } from '../support/scoring.ts';

let world: ScoringWorld;
beforeAll(async () => {
  world = await openScoringWorld();
});
afterAll(() => world?.close());
beforeEach(() => {
  world.server.asked.length = 0;
  world.server.answerWith(() => answer());
});

/** A run of so many cells, played and scored; the cell at `refusedAt` was refused a table. */
async function scoredRun(cells: number, refusedAt = -1): Promise<AttemptKey[]> {
  const keys = await world.run(byJudge, cells);
  for (const [at, key] of keys.entries()) {
    await world.play(key, at === refusedAt ? refused : booked);
    await world.score(key);
  }
  world.server.asked.length = 0;
  return keys;
}

const windowOf = ([key]: AttemptKey[], from: number, to: number) => ({
  ...world.agent,
  runId: key?.runId ?? '',
  nth: 1,
  from,
  to,
});
const scoresOf = async (keys: AttemptKey[]) =>
  Promise.all(
    keys.map(async (key) => {
      const { score, earlier_scores: earlier } = await world.attempt(key);
      return [score.nth, score.result, earlier.length];
    }),
  );

test('each attempt of the window is asked about once, and keeps its earlier score', async () => {
  const keys = await scoredRun(4);
  expect(await world.rescore(windowOf(keys, 0, 3))).toEqual({ scored: 3 });
  expect(world.server.asked).toHaveLength(3);
  expect(await scoresOf(keys)).toEqual([
    [1, 'passed', 1],
    [1, 'passed', 1],
    [1, 'passed', 1],
    [0, 'passed', 0],
  ]);
});

test('what a cell came to is told by all of its attempts as they are scored now', async () => {
  const [key] = await world.run(byJudge);
  if (!key) throw new Error('no cell');
  for (const [at, call] of [refused, booked].entries()) {
    await world.play({ ...key, attempt: at + 1 }, call);
    await world.score({ ...key, attempt: at + 1 });
  }
  expect(await world.cell(key)).toMatchObject({ result: 'flaky', k: 1, n: 2 });
  world.server.answerWith(() => notMet);
  expect(await world.rescore(windowOf([key], 0, 25))).toEqual({ scored: 2 });
  expect(await world.cell(key)).toMatchObject({ result: 'failed', k: 0, n: 2, cellsDone: 1 });
});

test('an attempt that falls over leaves the others scored, and the next try asks about it alone', async () => {
  const keys = await scoredRun(3, 1);
  const { judge } = world.deps.models;
  if (judge === null) throw new Error('no judge');
  const breaking: ActivityDeps = {
    ...world.deps,
    models: {
      ...world.deps.models,
      judge: {
        ...judge,
        complete: (request) =>
          request.material.includes('We are full.')
            ? Promise.reject(new Error('a fault of ours'))
            : judge.complete(request),
      },
    },
  };
  await expect(world.rescore(windowOf(keys, 0, 25), breaking)).rejects.toThrow('a fault of ours');
  expect((await scoresOf(keys)).map(([nth]) => nth)).toEqual([1, 0, 1]);
  world.server.asked.length = 0;
  await world.rescore(windowOf(keys, 0, 25));
  expect(world.server.asked.length).toBeGreaterThan(0);
  for (const { body } of world.server.asked) expect(JSON.stringify(body)).toContain('We are full.');
  expect((await scoresOf(keys)).map(([nth]) => nth)).toEqual([1, 1, 1]);
});
