import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActivityDeps } from '../../activities/deps.ts';
import { openAttempt } from '../../src/db/runs/attempts.ts';
import { NO_MODELS } from '../../src/models/registry.ts';
import { answer, booked, byCode, byJudge, ignoresPerson, notMet, refused } from '../support/judged.ts';
import { openScoringWorld, type ScoringWorld } from '../support/scoring.ts';

let world: ScoringWorld;
beforeAll(async () => {
  world = await openScoringWorld();
});
afterAll(() => world?.close());
beforeEach(() => {
  world.server.asked.length = 0;
  world.server.answerWith(() => ({ status: 404 }));
});

const withoutModels = (): ActivityDeps => ({ ...world.deps, models: NO_MODELS });

describe('an attempt that code decides', () => {
  test('needs no model, and ends its cell where it passed', async () => {
    const [key] = await world.run(byCode);
    if (!key) throw new Error('no cell');
    await world.play(key, booked);
    expect(await world.score(key, withoutModels())).toEqual({ result: 'passed', cell: 'done' });
    expect(await world.cell(key)).toEqual({ result: 'passed', k: 1, n: 1, reason: null, cellsDone: 1 });
    expect(await world.attempt(key)).toMatchObject({
      state: 'scored',
      result: 'passed',
      provider_grader_status: null,
      provider_grader_explanation: null,
      earlier_scores: [],
      score: {
        nth: 0,
        epoch: { simulatorModel: 'script', judgeModel: 'none', judgePromptHash: 'none', scorerVersion: '1' },
        verdicts: [{ criterionId: 'says', met: true, evidenceTurn: 2, quote: 'booked', decidedBy: { kind: 'check' } }],
      },
    });
  });

  test('is played again where it failed, and a pass then is flaky, with who made the difference', async () => {
    const [key] = await world.run(byCode);
    if (!key) throw new Error('no cell');
    await world.play(key, refused);
    expect(await world.score(key)).toEqual({ result: 'failed', cell: 'another' });
    expect(await world.cell(key)).toMatchObject({ result: null, cellsDone: 0 });
    const second = { ...key, attempt: 2 };
    await world.play(second, booked);
    expect(await world.score(second)).toEqual({ result: 'passed', cell: 'done' });
    expect(await world.cell(key)).toEqual({
      result: 'flaky',
      k: 1,
      n: 2,
      reason: '1 of 2 passed; of the difference the agent made 100 %.',
      cellsDone: 1,
    });
  });

  test('that failed twice says in its cell what was not met', async () => {
    const [key] = await world.run(byCode);
    if (!key) throw new Error('no cell');
    for (const attempt of [1, 2]) {
      await world.play({ ...key, attempt }, refused);
      await world.score({ ...key, attempt });
    }
    expect(await world.cell(key)).toMatchObject({
      result: 'failed',
      reason: 'Not met: “Says it is booked.” (The agent never said “booked”).',
    });
  });

  test('fails by what our own detectors find, and passes once they find it no more', async () => {
    const check = { kind: 'no_finding', code: 'human_request_ignored' } as const;
    const person = { id: 'person', text: 'Hands over to a person.', required: true, check };
    const [key] = await world.run({ criteria: [person] });
    if (!key) throw new Error('no cell');
    await world.play(key, ignoresPerson);
    expect(await world.score(key, withoutModels())).toEqual({ result: 'failed', cell: 'another' });
    expect(await world.attempt(key)).toMatchObject({
      score: {
        verdicts: [{ met: false, decidedBy: { kind: 'check' }, quote: expect.stringMatching(/human|person/) }],
        problems: expect.arrayContaining([expect.objectContaining({ code: check.code })]),
      },
    });
    const second = { ...key, attempt: 2 };
    await world.play(second, booked);
    expect(await world.score(second, withoutModels())).toEqual({ result: 'passed', cell: 'done' });
  });

  test('adds nothing when it is scored again, also at the same time', async () => {
    const [key] = await world.run(byCode);
    if (!key) throw new Error('no cell');
    await world.play(key, booked);
    const all = await Promise.all([world.score(key), world.score(key), world.score(key)]);
    const before = await world.attempt(key);
    expect(await world.score(key)).toEqual({ result: 'passed', cell: 'done' });
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await world.attempt(key)).toEqual(before);
    expect(await world.cell(key)).toMatchObject({ k: 1, n: 1, cellsDone: 1 });
  });

  test('counts its cell once, when three attempts are scored at the same time', async () => {
    const [key] = await world.run(byCode, 1, { repeats: 3 });
    if (!key) throw new Error('no cell');
    const keys = [1, 2, 3].map((attempt) => ({ ...key, attempt }));
    for (const one of keys) await world.play(one, one.attempt === 2 ? refused : booked);
    const all = await Promise.all(keys.map((one) => world.score(one)));
    expect(all.filter(({ cell }) => cell === 'done')).toHaveLength(1);
    expect(await world.cell(key)).toMatchObject({ result: 'flaky', k: 2, n: 3, cellsDone: 1 });
  });

  test('counts only the attempts since its errors were tried again', async () => {
    const [key] = await world.run(byCode);
    if (!key) throw new Error('no cell');
    for (const attempt of [1, 2]) {
      await world.play({ ...key, attempt }, { ...refused, trouble: 'The platform does not answer.' });
      await world.score({ ...key, attempt });
    }
    expect(await world.cell(key)).toMatchObject({ result: 'error', reason: 'The platform does not answer.' });
    await world.rows(sql`update run_cells set result = null, first_attempt = 3 where run_id = ${key.runId}`);
    await world.rows(sql`update runs set cells_done = 0 where id = ${key.runId}`);
    const third = { ...key, attempt: 3 };
    await world.play(third, booked);
    expect(await world.score(third)).toEqual({ result: 'passed', cell: 'done' });
    expect(await world.cell(key)).toMatchObject({ result: 'passed', k: 1, n: 1, cellsDone: 1 });
  });
});

describe('an attempt that is not judged', () => {
  test('drifted, and the judge is not asked', async () => {
    const goal = {
      goal: 'Cancel the insurance contract.',
      opening: 'Hello there.',
      facts: {},
      style: '',
      script: null,
    };
    const [key] = await world.run({ ...byJudge, caller: goal });
    if (!key) throw new Error('no cell');
    await world.play(key, booked);
    expect(await world.score(key)).toEqual({ result: 'drift', cell: 'another' });
    const { score } = await world.attempt(key);
    expect(score.reason).toMatch(/^The caller drifted: /);
    expect(score.callerDrift).toMatchObject({ drifted: true });
    expect(score.verdicts.map(({ met }: { met: boolean | null }) => met)).toEqual([null, null]);
    expect(world.server.asked).toHaveLength(0);
  });

  test('broke off, and is an error whatever was said before', async () => {
    const [key] = await world.run(byCode);
    if (!key) throw new Error('no cell');
    await world.play(key, { ...booked, endedBy: null, trouble: 'The platform hung up.' });
    expect((await world.score(key)).result).toBe('error');
    expect((await world.attempt(key)).score.reason).toBe('The platform hung up.');
  });

  test('is neither scored before it is begun, nor while it is played', async () => {
    const [key] = await world.run(byCode);
    if (!key) throw new Error('no cell');
    await expect(world.score(key)).rejects.toThrow('The run has no such attempt.');
    await openAttempt(world.database.within(key.workspaceId), key);
    await expect(world.score(key)).rejects.toThrow('The attempt is not played to its end yet.');
    expect(await world.attempt(key)).toMatchObject({ state: 'playing', score: null, result: null });
  });
});

describe('a rescore', () => {
  const otherJudge = (): ActivityDeps => ({
    ...world.deps,
    models: {
      ...world.deps.models,
      judge: world.deps.models.judge && { ...world.deps.models.judge, model: 'judge-2' },
    },
  });

  async function scoredOnce() {
    world.server.answerWith(() => answer());
    const [key] = await world.run(byJudge);
    if (!key) throw new Error('no cell');
    await world.play(key, booked);
    await world.score(key);
    return key;
  }

  test('keeps the earlier score with its epoch, and changes what the cell came to', async () => {
    const key = await scoredOnce();
    const before = await world.attempt(key);
    world.server.answerWith(() => notMet);
    expect(await world.score({ ...key, rescore: 1 }, otherJudge())).toEqual({ result: 'failed', cell: 'done' });
    const after = await world.attempt(key);
    expect(after.earlier_scores).toEqual([before.score]);
    expect(after.score).toMatchObject({ nth: 1, result: 'failed', epoch: { judgeModel: 'judge-2' } });
    expect(before.score.epoch.judgeModel).toBe('small-one');
    expect(after.rescored_at).not.toBeNull();
    expect(await world.cell(key)).toMatchObject({ result: 'failed', k: 0, n: 1, cellsDone: 1 });
  });

  test('that is delivered twice is one', async () => {
    const key = await scoredOnce();
    world.server.answerWith(() => notMet);
    await world.score({ ...key, rescore: 1 });
    const after = await world.attempt(key);
    expect(await world.score({ ...key, rescore: 1 })).toEqual({ result: 'failed', cell: 'done' });
    expect(await world.attempt(key)).toEqual(after);
  });

  test('whose judge can’t be asked keeps the earlier score in force', async () => {
    const key = await scoredOnce();
    const before = await world.attempt(key);
    expect(await world.score({ ...key, rescore: 1 }, withoutModels())).toEqual({ result: 'error', cell: 'done' });
    expect(await world.attempt(key)).toEqual(before);
    const { document } = await world.finish(key.runId, 1);
    expect(document.message).toBe('1 attempt keeps its earlier score, because the judge could not be asked.');
    expect(document.cells[0]?.result).toBe('passed');
  });
});
