import type { CellResult } from '../vocabulary.ts';
import type { AttemptScore, CriterionVerdict, Epoch } from './attempt.ts';
import type { RunSummary } from './cell.ts';
import { isJudged } from './compare.ts';
import { epochOfAll, NOTHING_SCORED } from './epoch.ts';
import type { Cost, DocumentCell, ResultDocument } from './result-document-shape.ts';

/** The rows behind a document. */
export interface RunRecord {
  run: Pick<ResultDocument, 'agentId' | 'status' | 'message' | 'kind' | 'trigger'> & {
    runId: string;
    platform: string;
    version: number;
    configHash: string | null;
    shadowAgentId: string | null;
  };
  /** In the order of the run. */
  cells: CellRecord[];
}

export type CellRecord = Pick<
  DocumentCell,
  'testId' | 'testRevision' | 'source' | 'persona' | 'lane' | 'expect' | 'guard' | 'gates' | 'gateReason' | 'k' | 'n'
> & {
  runnable: boolean;
  /** Null: it has not ended. */
  result: CellResult | null;
  reason: string | null;
  /** In their order; those that are scored count. */
  attempts: AttemptRecord[];
};

export interface AttemptRecord {
  attemptId: string;
  attempt: number;
  score: AttemptScore | null;
  noFixture: string[];
  graderStatus: string | null;
  graderExplanation: string | null;
  platformNanoUsd: number;
  serviceNanoUsd: number;
}

/** Compared with nothing yet; see `comparedWithLast`. Objects are made anew in the order of their fields: equal records give equal bytes. */
export function resultDocument({ run, cells }: RunRecord): ResultDocument {
  const made = cells.map((cell) => documentCell(cell, run.message));
  const attempts = cells.flatMap((cell) => cell.attempts);
  const { simulatorModel, judgeModel, judgePromptHash, scorerVersion } = epochOfRun(attempts);
  const number = (result: CellResult) => made.filter((cell) => cell.result === result).length;
  return {
    schemaVersion: 1,
    batchId: run.runId,
    agentId: run.agentId,
    status: run.status,
    message: run.message,
    kind: run.kind,
    trigger: run.trigger,
    targetVersion: { platform: run.platform, version: run.version, configHash: run.configHash },
    comparedTo: null,
    epoch: { simulatorModel, judgeModel, judgePromptHash, scorerVersion },
    summary: {
      cells: made.length,
      gating: made.filter(({ gates }) => gates).length,
      passed: number('passed'),
      failed: number('failed'),
      flaky: number('flaky'),
      error: number('error'),
      drift: number('drift'),
      notRun: number('not_run'),
      newlyBroken: 0,
      fixed: 0,
    },
    cost: costOf(attempts),
    ...(run.shadowAgentId === null ? {} : { shadow: { agentId: run.shadowAgentId, version: run.version } }),
    cells: made,
  };
}

/** The bytes of a document, without a line's end. */
export function documentBytes(document: ResultDocument): string {
  return JSON.stringify(document);
}

/** The figures of a run's row. */
export function summaryOf({ cells, summary }: ResultDocument): RunSummary {
  const { passed, failed, flaky, error, drift, notRun } = summary;
  const scored = passed + failed + flaky;
  return {
    cells: cells.length,
    scored,
    counts: { passed, failed, flaky, error, drift, notRun },
    passRate: scored === 0 ? null : passed / scored,
  };
}

/** An attempt that came to no verdict was scored by nobody, and adds nothing where another did. */
function epochOfRun(attempts: readonly AttemptRecord[]): Epoch {
  const scores = attempts.flatMap(({ score }) => score ?? []);
  const epochsOf = (some: readonly AttemptScore[]) => epochOfAll(some.map(({ epoch }) => epoch));
  return epochsOf(scores.filter(({ result }) => isJudged(result))) ?? epochsOf(scores) ?? NOTHING_SCORED;
}

function documentCell(cell: CellRecord, message: string | null): DocumentCell {
  const scored = cell.attempts.flatMap(({ attemptId, attempt, score }) =>
    score === null ? [] : [{ runId: attemptId, attempt, result: score.result }],
  );
  const result = cell.result ?? 'not_run';
  const shown = result === 'not_run' ? undefined : telling(cell.attempts, result);
  const notRunWhy = cell.runnable ? message : 'The budget does not cover this test.';
  return {
    testId: cell.testId,
    testRevision: cell.testRevision,
    source: cell.source,
    persona: cell.persona,
    tier: 'text',
    lane: cell.lane,
    expect: cell.expect,
    guard: cell.guard,
    gates: cell.gates,
    gateReason: cell.gateReason,
    result,
    attempts: scored,
    k: cell.k,
    n: cell.n,
    change: null,
    reason: result === 'not_run' ? (cell.reason ?? notRunWhy) : cell.reason,
    criteria: (shown?.score?.verdicts ?? []).map(criterionOf),
    noFixture: [...(shown?.noFixture ?? [])],
    platformGrader: { status: shown?.graderStatus ?? null, explanation: shown?.graderExplanation ?? null },
    findings: (shown?.score?.problems ?? []).map(({ code, title, severity, detail }) => ({
      code,
      title,
      severity,
      detail,
    })),
    cost: costOf(cell.attempts),
  };
}

/** The attempt that a result stands on: the last that ended so; of a flaky cell the last that did not pass. */
function telling(attempts: readonly AttemptRecord[], result: CellResult): AttemptRecord | undefined {
  return attempts.findLast(({ score }) =>
    result === 'flaky' ? score !== null && score.result !== 'passed' : score?.result === result,
  );
}

/** What is undecided was decided by nobody, so that no answer stands beside it; the attempt itself keeps them. */
function criterionOf({ criterionId, text, met, decidedBy, evidenceTurn, quote }: CriterionVerdict) {
  const { kind, model, answers } = decidedBy;
  return {
    criterionId,
    text,
    met,
    decidedBy: {
      kind,
      model,
      answers: (met === null ? [] : answers).map((answer) => ({
        met: answer.met,
        turn: answer.turn,
        quote: answer.quote,
        because: answer.because,
      })),
    },
    evidenceTurn,
    quote,
  };
}

const NANO_USD = 1_000_000_000;

/** Summed in whole billionths, so that no order of the sum shows in the figures. */
export function costOf(attempts: readonly Pick<AttemptRecord, 'platformNanoUsd' | 'serviceNanoUsd'>[]): Cost {
  const sum = (of: 'platformNanoUsd' | 'serviceNanoUsd') =>
    attempts.reduce((total, attempt) => total + attempt[of], 0) / NANO_USD;
  return { platformUsd: sum('platformNanoUsd'), serviceUsd: sum('serviceNanoUsd') };
}
