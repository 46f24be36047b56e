import type {
  AttemptResult,
  CellChange,
  CellResult,
  Lane,
  RunKind,
  RunStatus,
  RunTrigger,
  TestExpectation,
  TestSource,
} from '../vocabulary.ts';
import type { CriterionVerdict, Epoch, Problem } from './attempt.ts';

/** The result of a run, version 1: what the API, the command line and webhooks all give out. */
export interface ResultDocument {
  schemaVersion: 1;
  batchId: string;
  agentId: string;
  status: RunStatus;
  message: string | null;
  kind: RunKind;
  trigger: RunTrigger | null;
  targetVersion: { platform: string; version: number; configHash: string | null };
  comparedTo: { batchId: string; version: number } | null;
  epoch: Epoch;
  summary: {
    cells: number;
    gating: number;
    passed: number;
    failed: number;
    flaky: number;
    error: number;
    drift: number;
    notRun: number;
    newlyBroken: number;
    fixed: number;
  };
  cost: Cost;
  shadow?: { agentId: string; version: number };
  cells: DocumentCell[];
}

export interface Cost {
  platformUsd: number;
  serviceUsd: number;
}

export interface DocumentCell {
  testId: string;
  testRevision: number;
  source: TestSource;
  persona: string;
  tier: 'text';
  lane: Lane | null;
  expect: TestExpectation;
  guard: boolean;
  gates: boolean;
  gateReason: string | null;
  result: CellResult;
  attempts: { runId: string; attempt: number; result: AttemptResult }[];
  k: number;
  n: number;
  change: CellChange | null;
  reason: string | null;
  criteria: Pick<CriterionVerdict, 'criterionId' | 'text' | 'met' | 'decidedBy' | 'evidenceTurn' | 'quote'>[];
  noFixture: string[];
  platformGrader: { status: string | null; explanation: string | null };
  findings: Problem[];
  cost: Cost;
}
