import type { AttemptScore, CriterionVerdict } from '../../src/domain/runs/attempt.ts';
import { epochOf } from '../../src/domain/runs/epoch.ts';
import type { AttemptRecord, CellRecord, RunRecord } from '../../src/domain/runs/result-document.ts';

export const makeVerdict = (criterionId: string, met: boolean | null, over: Partial<CriterionVerdict> = {}) => ({
  criterionId,
  text: `Text of ${criterionId}`,
  required: true,
  met,
  because: 'So it was.',
  decidedBy: { kind: met === null ? ('undecided' as const) : ('check' as const), model: null, answers: [] },
  evidenceTurn: null,
  quote: null,
  ...over,
});

export const EPOCH = epochOf({ simulatorModel: null, judgeModel: 'judge-1', judgePrompt: 'Judge.' });

export function makeScore(over: Partial<AttemptScore> = {}): AttemptScore {
  return {
    nth: 0,
    epoch: EPOCH,
    result: 'passed',
    reason: null,
    verdicts: [makeVerdict('c1', true)],
    problems: [],
    callerDrift: null,
    scoredAt: '2026-11-21T12:00:00.000Z',
    ...over,
  };
}

export function makeAttempt(attempt: number, over: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    attemptId: `00000000-0000-4000-8000-00000000000${attempt}`,
    attempt,
    score: makeScore(),
    noFixture: [],
    graderStatus: null,
    graderExplanation: null,
    platformNanoUsd: 20_000_000,
    serviceNanoUsd: 1_200_000,
    ...over,
  };
}

export function makeCell(testId: string, over: Partial<CellRecord> = {}): CellRecord {
  return {
    testId,
    testRevision: 1,
    source: 'written',
    persona: '@source',
    lane: null,
    expect: 'pass',
    guard: false,
    gates: true,
    gateReason: null,
    runnable: true,
    result: 'passed',
    k: 1,
    n: 1,
    reason: null,
    attempts: [makeAttempt(1)],
    ...over,
  };
}

export const RUN_ID = '10000000-0000-4000-8000-000000000001';

export function makeRecord(cells: CellRecord[], run: Partial<RunRecord['run']> = {}): RunRecord {
  return {
    run: {
      runId: RUN_ID,
      agentId: '20000000-0000-4000-8000-000000000001',
      platform: 'retell',
      version: 4,
      configHash: 'sha256:ab',
      shadowAgentId: null,
      status: 'complete',
      message: null,
      kind: 'run',
      trigger: 'ci',
      ...run,
    },
    cells,
  };
}
