import type { Epoch } from '../runs/attempt.ts';
import { changeBetween, isJudged } from '../runs/compare.ts';
import { isSameEpoch } from '../runs/epoch.ts';
import type { CellChange, CellResult, TestExpectation } from '../vocabulary.ts';

/** A cell of a complete run of the goal. */
export interface PlayedCell {
  runId: string;
  version: number;
  epoch: Epoch | null;
  testId: string;
  testRevision: number;
  expect: TestExpectation;
  persona: string;
  result: CellResult;
  n: number;
}

export interface CellSide {
  runId: string;
  version: number;
  result: CellResult;
}

export interface TestProgress {
  testId: string;
  persona: string;
  /** In the first run that came to a verdict. */
  before: CellSide;
  /** In the newest other run that came to a verdict; null until there is one. */
  after: CellSide | null;
  /** Null where there is no second verdict, or it answers another question: another revision of the test, another epoch. */
  change: CellChange | null;
}

export interface GoalProgress {
  planned: number;
  /** Planned tests that came to a verdict, and those that passed in the newest verdict of all their cells. */
  played: number;
  passed: number;
  tests: TestProgress[];
}

/** How the tests of a plan did in its first and in its newest run. @param cells of complete runs, oldest first */
export function progressOf(testIds: readonly string[], cells: readonly PlayedCell[]): GoalProgress {
  const planned = new Set(testIds);
  const judged = cells.filter(({ testId, result }) => planned.has(testId) && isJudged(result));
  const tests = [...Map.groupBy(judged, ({ testId, persona }) => `${testId} ${persona}`).values()].map(sidesOf);
  const byTest = [...Map.groupBy(tests, ({ testId }) => testId).values()];
  const isPassed = ({ before, after }: TestProgress) => (after ?? before).result === 'passed';
  return {
    planned: planned.size,
    played: byTest.length,
    passed: byTest.filter((sides) => sides.every(isPassed)).length,
    tests,
  };
}

function sidesOf(cells: PlayedCell[]): TestProgress {
  const [first, ...others] = cells;
  if (!first) throw new Error('A group of cells is empty.');
  const last = others.at(-1) ?? null;
  const isCompared =
    last !== null && first.epoch !== null && last.epoch !== null && isSameEpoch(first.epoch, last.epoch);
  return {
    testId: first.testId,
    persona: first.persona,
    before: sideOf(first),
    after: last && sideOf(last),
    change: isCompared ? changeBetween(first, last) : null,
  };
}

const sideOf = ({ runId, version, result }: PlayedCell): CellSide => ({ runId, version, result });

/** What came of a goal so far, in a sentence. */
export function progressWords({ planned, played, passed, tests }: GoalProgress): string {
  if (planned === 0) return 'The plan holds no tests.';
  if (played === 0)
    return planned === 1
      ? 'The planned test was not played to a verdict.'
      : `None of the ${planned} planned tests was played to a verdict.`;
  const fixed = tests.filter(({ change }) => change === 'fixed').length;
  const broken = tests.filter(({ change }) => change === 'newly_broken').length;
  const passing = `${passed} of ${planned} planned tests pass`;
  if (fixed + broken === 0) return `${passing}.`;
  return `${passing}; against the first run ${fixed} ${fixed === 1 ? 'is' : 'are'} fixed and ${broken} newly broken.`;
}
