import { describe, expect, test } from 'vitest';
import { covers } from '../../cli/runs/already-played.ts';
import { withRetried } from '../../cli/runs/retry-errors.ts';
import { judgeRun } from '../../cli/runs/verdict.ts';
import type { TestResource } from '../../src/contract/test.ts';
import { resultCell, resultDocument } from '../support/run-document.ts';

const cell = resultCell;
const code = (...cells: Parameters<typeof resultDocument>[0]) => judgeRun(resultDocument(cells)).exitCode;

describe('when a pipeline may go on', () => {
  test('a run whose gating tests passed passes', () => {
    expect(judgeRun(resultDocument([cell(1), cell(2)]))).toEqual({
      exitCode: 0,
      says: 'Passed: all 2 gating cells passed.',
    });
  });

  test('a gating test that failed fails the run, one that does not gate does not', () => {
    expect(code(cell(1), cell(2, { result: 'failed' }))).toBe(1);
    expect(code(cell(1), cell(2, { result: 'failed', gates: false }))).toBe(0);
  });

  test('a flaky gating test passed on another try; with --strict it fails the run', () => {
    const document = resultDocument([cell(1), cell(2, { result: 'flaky', k: 1, n: 2 })]);
    expect(judgeRun(document)).toEqual({
      exitCode: 0,
      says: 'Passed: all 2 gating cells passed. 1 of them only after a retry (flaky).',
    });
    expect(judgeRun(document, { strict: true }).exitCode).toBe(1);
  });

  test.each(['error', 'drift'] as const)('a gating test with %s is never a pass', (result) => {
    expect(code(cell(1), cell(2, { result }))).toBe(1);
    expect(code(cell(1), cell(2, { result, gates: false }))).toBe(0);
  });

  test('gating tests that the budget left out are refused by budget, unless one that was played failed', () => {
    const left = cell(2, { result: 'not_run' });
    const document = resultDocument([cell(1), left], { message: 'The budget covers 1 of 2 cells.' });
    expect(judgeRun(document)).toEqual({
      exitCode: 2,
      says: 'Not passed: 1 of 2 gating cells not played. The budget covers 1 of 2 cells.',
    });
    expect(code(cell(1, { result: 'failed' }), left)).toBe(1);
    expect(code(cell(1), cell(2, { result: 'not_run', gates: false }))).toBe(0);
  });

  test('a run in which nothing was judged is never a pass, whether its tests gate or not', () => {
    expect(code(cell(1, { result: 'error', gates: false }), cell(2, { result: 'drift', gates: false }))).toBe(1);
    expect(code(cell(1, { result: 'not_run', gates: false }))).toBe(1);
    expect(code()).toBe(1);
    // A result that no criterion stands behind.
    expect(judgeRun(resultDocument([cell(1, { criteria: [] })]))).toMatchObject({
      exitCode: 1,
      says: expect.stringContaining('no required criterion was judged'),
    });
  });

  test('without gating tests it passes and says that nothing could have failed it', () => {
    expect(judgeRun(resultDocument([cell(1, { gates: false })]))).toMatchObject({
      exitCode: 0,
      says: expect.stringContaining('no test gates yet'),
    });
  });

  test.each([
    ['refused', 2],
    ['failed', 1],
    ['running', 3],
    ['queued', 3],
    ['awaiting_approval', 3],
  ] as const)('a run that is %s ends with %i and its own words', (status, exitCode) => {
    const document = resultDocument([cell(1, { result: 'not_run' })], { status, message: 'The agent is gone.' });
    expect(judgeRun(document)).toMatchObject({ exitCode, says: expect.stringContaining('The agent is gone.') });
  });
});

describe('whether a run was played already', () => {
  const asked = (n: number, given: Partial<TestResource> = {}) =>
    ({ id: cell(n).testId, revision: 1, gates: true, expect: 'pass', ...given }) as TestResource;
  const played = (...cells: Parameters<typeof resultDocument>[0]) => resultDocument(cells);
  const own = (...tests: TestResource[]) => ({ tests, personas: null });

  test('the same tests, revisions, callers and configuration, all decided', () => {
    expect(covers(played(cell(1), cell(2, { result: 'failed' })), 'sha256:ab12', own(asked(1), asked(2)))).toBe(true);
  });

  test.each([
    ['another configuration', covers(played(cell(1)), 'sha256:ff', own(asked(1)))],
    ['another revision', covers(played(cell(1)), 'sha256:ab12', own(asked(1, { revision: 2 })))],
    ['a test more', covers(played(cell(1)), 'sha256:ab12', own(asked(1), asked(2)))],
    ['a test less', covers(played(cell(1), cell(2)), 'sha256:ab12', own(asked(1)))],
    ['another caller', covers(played(cell(1)), 'sha256:ab12', { tests: [asked(1)], personas: ['hurried'] })],
    ['a test that gates since', covers(played(cell(1, { gates: false })), 'sha256:ab12', own(asked(1)))],
    ['another expectation', covers(played(cell(1)), 'sha256:ab12', own(asked(1, { expect: 'fail' })))],
    ['an error', covers(played(cell(1, { result: 'error' })), 'sha256:ab12', own(asked(1)))],
    ['a cell that was left out', covers(played(cell(1, { result: 'not_run' })), 'sha256:ab12', own(asked(1)))],
    ['no tests', covers(played(), 'sha256:ab12', own())],
  ])('%s is played anew', (_what, isCovered) => expect(isCovered).toBe(false));
});

describe('a second try of errors in another run', () => {
  test('takes the place of errored cells only, and the summary adds up', () => {
    const first = resultDocument([cell(1), cell(2, { result: 'error' }), cell(3, { result: 'error' })]);
    const second = resultDocument([cell(1, { result: 'failed' }), cell(2), cell(3, { result: 'not_run' })]);
    const judged = withRetried(first, second);
    expect(judged.cells.map(({ result }) => result)).toEqual(['passed', 'passed', 'error']);
    expect(judged.summary).toMatchObject({ cells: 3, passed: 2, error: 1, failed: 0, notRun: 0 });
    expect(judged.cost.platformUsd).toBeCloseTo(first.cost.platformUsd + second.cost.platformUsd);
    expect(judgeRun(first).exitCode).toBe(1);
    expect(
      judgeRun(withRetried(resultDocument([cell(1, { result: 'error' })]), resultDocument([cell(1)]))).exitCode,
    ).toBe(0);
  });
});
