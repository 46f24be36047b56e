import { describe, expect, test } from 'vitest';
import { type PlayedCell, progressOf, progressWords } from '../../../src/domain/goals/progress.ts';
import { NOTHING_SCORED } from '../../../src/domain/runs/epoch.ts';

const cell = (run: number, result: PlayedCell['result'], set: Partial<PlayedCell> = {}): PlayedCell => ({
  runId: `run ${run}`,
  version: run,
  epoch: NOTHING_SCORED,
  testId: 'a',
  testRevision: 1,
  expect: 'pass',
  persona: '@source',
  result,
  n: 1,
  ...set,
});

describe('the progress of a goal', () => {
  test.each<[string, PlayedCell[], (string | null)[]]>([
    ['nothing was played', [], []],
    ['one run', [cell(1, 'failed')], ['failed', null, null]],
    ['a test that is fixed', [cell(1, 'failed'), cell(2, 'passed')], ['failed', 'passed', 'fixed']],
    [
      'only the first and the newest count',
      [cell(1, 'passed'), cell(2, 'failed'), cell(3, 'passed')],
      ['passed', 'passed', 'unchanged'],
    ],
    [
      'a run without a verdict is passed over',
      [cell(1, 'error'), cell(2, 'failed'), cell(3, 'not_run')],
      ['failed', null, null],
    ],
    [
      'another revision is another question',
      [cell(1, 'failed'), cell(2, 'passed', { testRevision: 2 })],
      ['failed', 'passed', null],
    ],
    [
      'another epoch is not compared',
      [cell(1, 'failed'), cell(2, 'passed', { epoch: { ...NOTHING_SCORED, scorerVersion: '0' } })],
      ['failed', 'passed', null],
    ],
    ['no epoch is known', [cell(1, 'failed', { epoch: null }), cell(2, 'passed')], ['failed', 'passed', null]],
  ])('%s', (_, cells, expected) => {
    const { tests } = progressOf(['a'], cells);
    expect(tests.flatMap(({ before, after, change }) => [before.result, after?.result ?? null, change])).toEqual(
      expected,
    );
  });

  test('counts a test as passed where all its callers passed, and leaves out what the plan does not hold', () => {
    const cells = [
      cell(1, 'passed'),
      cell(1, 'failed', { persona: 'slow' }),
      cell(1, 'passed', { testId: 'b' }),
      cell(1, 'passed', { testId: 'stranger' }),
    ];
    const progress = progressOf(['a', 'b', 'c'], cells);
    expect(progress).toMatchObject({ planned: 3, played: 2, passed: 1 });
    expect(progressWords(progress)).toBe('1 of 3 planned tests pass.');
  });

  test.each([
    [[], [], 'The plan holds no tests.'],
    [['a'], [], 'The planned test was not played to a verdict.'],
    [
      ['a'],
      [cell(1, 'failed'), cell(2, 'passed')],
      '1 of 1 planned tests pass; against the first run 1 is fixed and 0 newly broken.',
    ],
    [
      ['a'],
      [cell(1, 'passed'), cell(2, 'failed')],
      '0 of 1 planned tests pass; against the first run 0 are fixed and 1 newly broken.',
    ],
  ])('of plan %j in words', (plan, cells, words) => {
    expect(progressWords(progressOf(plan, cells))).toBe(words);
  });
});
