import type { AttemptResource, AttemptSummaryResource } from '../../contract/attempt.ts';
import type { StoredAttempt } from '../../db/runs/attempts.ts';
import type { AttemptView } from '../../db/runs/read-attempts.ts';
import { usdOfNano } from '../../domain/limits/model-cost.ts';
import type { CriterionVerdict } from '../../domain/runs/attempt.ts';
import { presentTurns } from '../calls/present.ts';

export function presentAttemptSummary(row: AttemptView): AttemptSummaryResource {
  const epoch = row.score?.epoch ?? null;
  return {
    object: 'attempt',
    id: row.id,
    runId: row.runId,
    testId: row.testId,
    testRevision: row.testRevision,
    persona: row.persona,
    attempt: row.attempt,
    version: row.version,
    result: row.result,
    reason: row.score?.reason ?? row.trouble,
    noFixture: row.noFixture,
    providerGrader: { status: row.providerGraderStatus, explanation: row.providerGraderExplanation },
    models: {
      simulator: epoch?.simulatorModel ?? null,
      judge: epoch?.judgeModel ?? null,
      judgePromptHash: epoch?.judgePromptHash ?? null,
      scorerVersion: epoch?.scorerVersion ?? null,
    },
    cost: { platformUsd: usdOfNano(row.platformNanoUsd), serviceUsd: usdOfNano(row.serviceNanoUsd) },
    rescoredAt: row.rescoredAt,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
  };
}

export function presentAttempt(row: AttemptView, stored: StoredAttempt): AttemptResource {
  return {
    ...presentAttemptSummary(row),
    transcript: presentTurns(stored.played.turns, []),
    verdicts: (stored.score?.verdicts ?? []).map(presentVerdict),
    problems: stored.score?.problems ?? [],
    callerDrift: stored.score?.callerDrift ?? null,
    earlierScores: stored.earlierScores.map(({ epoch, result, reason, verdicts, scoredAt }) => ({
      epoch,
      result,
      reason,
      verdicts: verdicts.map(presentVerdict),
      scoredAt,
    })),
    platformConversation: stored.raw,
  };
}

/** Whether it is required belongs to the test; the contract's verdict does not say it. */
function presentVerdict({ required: _, ...verdict }: CriterionVerdict): AttemptResource['verdicts'][number] {
  return verdict;
}
