import { describe, expect, test } from 'vitest';
import { nextOfCell } from '../../../src/domain/runs/combine.ts';
import type { AttemptResult, CellResult } from '../../../src/domain/vocabulary.ts';

const once = (...results: AttemptResult[]) => nextOfCell({ kind: 'run', repeats: null, results });
const thrice = (...results: AttemptResult[]) => nextOfCell({ kind: 'run', repeats: 3, results });
const another = { next: 'another' };

describe('a cell that is played once', () => {
  test('needs a first attempt, and no second one where that passed', () => {
    expect(once()).toEqual(another);
    expect(once('passed')).toEqual({ next: 'done', outcome: { result: 'passed', k: 1, n: 1, reason: null } });
  });

  test.each<AttemptResult>(['failed', 'error', 'drift'])('is played again once where it %s', (result) => {
    expect(once(result)).toEqual(another);
    expect(once(result, result)).toEqual({ next: 'done', outcome: { result, k: 0, n: 2, reason: null } });
    expect(once(result, 'passed')).toEqual({
      next: 'done',
      outcome: { result: 'flaky', k: 1, n: 2, reason: '1 of 2 passed.' },
    });
  });

  test('an agent that failed where it could be judged has failed', () => {
    for (const results of [
      ['failed', 'error'],
      ['error', 'failed'],
      ['drift', 'failed'],
    ] as AttemptResult[][]) {
      expect(once(...results)).toMatchObject({ outcome: { result: 'failed', k: 0, n: 2 } });
    }
    expect(once('drift', 'error')).toMatchObject({ outcome: { result: 'error' } });
  });
});

describe('a cell that is repeated', () => {
  test('is played three times, however the first ones ended', () => {
    expect(thrice('passed')).toEqual(another);
    expect(thrice('failed', 'failed')).toEqual(another);
    expect(nextOfCell({ kind: 'calibration', repeats: null, results: ['passed', 'passed'] })).toEqual(another);
  });

  test.each<[AttemptResult[], CellResult, number]>([
    [['passed', 'passed', 'passed'], 'passed', 3],
    [['failed', 'failed', 'failed'], 'failed', 0],
    [['passed', 'failed', 'passed'], 'flaky', 2],
    [['passed', 'error', 'passed'], 'flaky', 2],
    [['drift', 'error', 'drift'], 'error', 0],
    [['drift', 'drift', 'drift'], 'drift', 0],
  ])('%j comes to %s with %i of 3', (results, result, k) => {
    const reason = result === 'flaky' ? `${k} of 3 passed.` : null;
    expect(thrice(...results)).toEqual({ next: 'done', outcome: { result, k, n: 3, reason } });
  });
});
