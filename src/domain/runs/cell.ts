import type { CellResult, Lane, TestExpectation, TestSource } from '../vocabulary.ts';

/** One test played by one caller, as the run took it over from the test when it began. */
export interface CellPlan {
  testId: string;
  testRevision: number;
  /** A persona's id, or `@source`. */
  persona: string;
  /** From 0, in the order of the run. */
  position: number;
  source: TestSource;
  lane: Lane | null;
  expect: TestExpectation;
  guard: boolean;
  gates: boolean;
  gateReason: string | null;
  /** False: the budget does not cover it, or its persona can't act. */
  runnable: boolean;
  /** Why it is not played at all, in a sentence. */
  reason: string | null;
}

/** What the attempts of a cell come to. */
export interface CellOutcome {
  result: CellResult;
  /** Attempts that passed, of those that ended. */
  k: number;
  n: number;
  reason: string | null;
}

export interface RunSummary {
  cells: number;
  scored: number;
  counts: { passed: number; failed: number; flaky: number; error: number; drift: number; notRun: number };
  /** Passed of scored; null where none was scored. */
  passRate: number | null;
}
