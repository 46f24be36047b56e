import { type RunResultResource, runResult } from '../../src/contract/run-result.ts';
import { CELL_RESULTS, type CellResult } from '../../src/domain/vocabulary.ts';

export type ResultCell = RunResultResource['cells'][number];
type Criterion = ResultCell['criteria'][number];

const id = (n: number) => `019d1f4e-6a10-7c3e-9b1a-${n.toString(16).padStart(12, '0')}`;
export const RUN_ID = id(0xaaaa);
export const AGENT_ID = id(0xbbbb);

/** What a criterion looks like in a document, met and decided by code where nothing else is said. */
export function resultCriterion(given: Partial<Criterion> = {}): Criterion {
  return {
    criterionId: 'c1',
    text: 'Looks up free times.',
    met: true,
    decidedBy: { kind: 'check', model: null, answers: [{ met: true, turn: 2, quote: null, because: 'It called it.' }] },
    evidenceTurn: 2,
    quote: 'one moment',
    ...given,
  };
}

/** The n-th cell, gating and passed where nothing else is said. */
export function resultCell(n: number, given: Partial<ResultCell> = {}): ResultCell {
  const result: CellResult = given.result ?? 'passed';
  const isPlayed = result !== 'not_run';
  const wasDecided = result === 'passed' || result === 'failed' || result === 'flaky';
  const attempt = result === 'flaky' || result === 'not_run' ? 'passed' : result;
  const undecided = { kind: 'undecided', model: null, answers: [] } as const;
  return {
    testId: id(n),
    testRevision: 1,
    source: 'written',
    persona: '@source',
    tier: 'text',
    lane: null,
    expect: 'pass',
    guard: false,
    gates: true,
    gateReason: 'Stable in 3 of 3.',
    result,
    attempts: isPlayed ? [{ runId: id(1000 + n), attempt: 1, result: attempt }] : [],
    k: attempt === 'passed' && isPlayed ? 1 : 0,
    n: isPlayed ? 1 : 0,
    change: null,
    reason: null,
    criteria: isPlayed
      ? [
          resultCriterion(
            wasDecided ? { met: result !== 'failed' } : { met: null, decidedBy: { ...undecided, answers: [] } },
          ),
        ]
      : [],
    noFixture: [],
    platformGrader: { status: null, explanation: null },
    findings: [],
    cost: { platformUsd: isPlayed ? 0.02 : 0, serviceUsd: 0 },
    ...given,
  };
}

/** A result document of these cells, checked against the contract, with a summary that adds up. */
export function resultDocument(cells: ResultCell[], given: Partial<RunResultResource> = {}): RunResultResource {
  const [passed, failed, flaky, error, drift, notRun] = CELL_RESULTS.map(
    (result) => cells.filter((cell) => cell.result === result).length,
  );
  const changed = (change: ResultCell['change']) => cells.filter((cell) => cell.change === change).length;
  return runResult.parse({
    schemaVersion: 1,
    batchId: RUN_ID,
    agentId: AGENT_ID,
    status: 'complete',
    message: null,
    kind: 'run',
    trigger: 'ci',
    targetVersion: { platform: 'demo', version: 4, configHash: 'sha256:ab12' },
    comparedTo: null,
    epoch: { simulatorModel: 'script', judgeModel: 'none', judgePromptHash: 'none', scorerVersion: '1' },
    summary: {
      cells: cells.length,
      gating: cells.filter(({ gates }) => gates).length,
      passed,
      failed,
      flaky,
      error,
      drift,
      notRun,
      newlyBroken: changed('newly_broken'),
      fixed: changed('fixed'),
    },
    cost: { platformUsd: cells.reduce((sum, { cost }) => sum + cost.platformUsd, 0), serviceUsd: 0 },
    cells,
    ...given,
  });
}
