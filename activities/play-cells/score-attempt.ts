import { readRules } from '../../src/db/agents/agent-source.ts';
import type { EntityManager } from '../../src/db/database.ts';
import { type EndOfPlaying, loadPlayed, type OpenAttempt, type StoredAttempt } from '../../src/db/runs/attempts.ts';
import { keepRescore } from '../../src/db/runs/rescores.ts';
import {
  type CellTerms,
  endAndScore,
  keepScore,
  loadCellTerms,
  type Standing,
  standingOf,
} from '../../src/db/runs/scores.ts';
import { type AttemptScore, type CriterionVerdict, type Findings, isWorded } from '../../src/domain/runs/attempt.ts';
import { callerDrift } from '../../src/domain/runs/drift.ts';
import { epochOf } from '../../src/domain/runs/epoch.ts';
import { undecidedVerdict } from '../../src/domain/runs/judge-answers.ts';
import { checkVerdicts, keptFromJudging, resultOf, type Verdict } from '../../src/domain/runs/score.ts';
import type { AttemptResult } from '../../src/domain/vocabulary.ts';
import { JUDGE_PROMPT } from '../../src/models/judge.ts';
import type { AttemptKey } from '../../src/temporal/run-tests.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import { askJudge, type Judged } from './ask-judge.ts';

/** `rescore`: the number of the run's rescore; left out for the first score. */
export type ScoreRequest = AttemptKey & { rescore?: number };

/**
 * Scores one attempt from what is stored of it: code first, then the judge for what code does not decide, then the
 * cell. Nothing is played, and doing it again changes nothing.
 */
export function createScoreAttempt(deps: ActivityDeps) {
  return async function scoreAttempt(request: ScoreRequest): Promise<Standing> {
    const { rescore: nth = 0, ...key } = request;
    return withHeartbeat(
      () => ({ runId: key.runId, testId: key.testId, attempt: key.attempt }),
      async () => {
        const em = deps.database.within(key.workspaceId);
        const stored = await loadPlayed(em, key);
        if (stored === null) throw new Error('The run has no such attempt.');
        if (nth === 0) return scoreFirst(deps, em, key, stored);
        const toScore = { stored, nth, key, ...(await termsOfScore(em, key)) };
        return { result: await scoreAgain(deps, em, toScore), cell: 'done' };
      },
    );
  };
}

/** Scores an attempt that is in the record as it was played, where it has no score yet. */
export async function scoreFirst(
  deps: ActivityDeps,
  em: EntityManager,
  key: AttemptKey,
  stored: StoredAttempt,
): Promise<Standing> {
  if (stored.state === 'playing') throw new Error('The attempt is not played to its end yet.');
  if (stored.score !== null) return standingOf(em, key);
  const { score, judged } = await scored(deps, em, { stored, nth: 0, key, ...(await termsOfScore(em, key)) });
  return keepScore(em, key, score, judged.nanoUsd);
}

/** Scores an attempt whose end is not in the record yet, and which nobody has to be asked about. */
export async function scoreWithEnd(
  deps: ActivityDeps,
  em: EntityManager,
  key: AttemptKey,
  { attempt, end }: { attempt: OpenAttempt; end: EndOfPlaying },
): Promise<Standing> {
  const { score } = await scored(deps, em, { stored: attempt, nth: 0, key, ...(await termsOfScore(em, key)) });
  return endAndScore(em, { key, owned: attempt, end, score });
}

async function termsOfScore(em: EntityManager, key: AttemptKey): Promise<Pick<ToScore, 'expect' | 'now' | 'rules'>> {
  const [terms, rules] = await Promise.all([loadCellTerms(em, key), readRules(em, key.agentId)]);
  if (terms === null) throw new Error('The run has no such attempt.');
  return { ...terms, rules };
}

/** Scores a stored attempt once more, where this rescore has not done so yet. @returns what came of it */
export async function scoreAgain(deps: ActivityDeps, em: EntityManager, toScore: ToScore): Promise<AttemptResult> {
  const { stored, key, nth } = toScore;
  if (stored.score !== null && stored.score.nth >= nth) return stored.score.result;
  const { score, judged } = await scored(deps, em, toScore);
  if (stored.score === null || !staysAsItWas(stored.score, score, judged)) {
    await keepRescore(em, { key, attemptId: stored.attemptId, score, serviceNanoUsd: judged.nanoUsd });
  }
  return score.result;
}

/** A judge that can't be asked takes no verdict away: the earlier score stays in force, under its own epoch. */
function staysAsItWas(earlier: AttemptScore, score: AttemptScore, judged: Judged): boolean {
  return score.result === 'error' && earlier.result !== 'error' && judged.trouble !== null;
}

export interface ToScore extends Pick<CellTerms, 'expect' | 'now'> {
  stored: StoredAttempt;
  /** The number of the rescore; 0: the first score. */
  nth: number;
  key: AttemptKey;
  rules: Awaited<ReturnType<typeof readRules>>;
}

async function scored(
  deps: ActivityDeps,
  em: EntityManager,
  { stored, nth, key, expect, now, rules }: ToScore,
): Promise<{ score: AttemptScore; judged: Judged }> {
  const { spec, played, configuration, version, attemptId } = stored;
  const isScripted = spec.caller.script !== null;
  const worded = isWorded(key.persona, spec);
  const drift = callerDrift(spec, played.turns, { scripted: isScripted, worded, endedBy: played.endedBy });
  const kept = keptFromJudging(spec.criteria, played, { drift, configuration });
  const judged = kept === null ? await askJudge(deps, em, { stored, nth, key }) : NOT_ASKED;
  const { thresholds, phraseRules, toolRules } = rules;
  const by = { attemptId, version, configuration, thresholds, phraseRules, toolRules };
  const { findingsOf, problemsOf } = await reading();
  const findings = findingsOf(played, by);
  const verdicts = kept === null ? inOrder(stored, findings, judged) : notJudged(stored, kept);
  const { result, reason } = kept ?? resultOf(expect, verdicts);
  const epoch = epochOf({
    simulatorModel: isScripted && !worded ? null : simulatorOf(deps, stored),
    judgeModel: deps.models.judge?.model ?? null,
    judgePrompt: JUDGE_PROMPT,
  });
  const problems = problemsOf(played, by, findings);
  return { score: { nth, epoch, result, reason, verdicts, problems, callerDrift: drift, scoredAt: now }, judged };
}

/** Loaded with the first attempt that is scored: a worker that plays none goes without the detectors and their words. */
const reading = () => import('../../src/domain/runs/simulated-call.ts');

const NOT_ASKED: Judged = { verdicts: [], trouble: null, nanoUsd: 0 };

/** Whoever played the caller: a rescore does not change that. */
function simulatorOf({ models }: ActivityDeps, { score }: StoredAttempt): string {
  return score?.epoch.simulatorModel ?? models.simulator?.model ?? 'none';
}

function inOrder(
  { spec, played, configuration }: StoredAttempt,
  findings: Findings,
  judged: Judged,
): CriterionVerdict[] {
  const verdicts = [...checkVerdicts(spec.criteria, played, configuration, findings), ...judged.verdicts];
  return spec.criteria.flatMap(({ id }) => verdicts.find(({ criterionId }) => criterionId === id) ?? []);
}

function notJudged({ spec }: StoredAttempt, { reason }: Verdict): CriterionVerdict[] {
  return spec.criteria.map((criterion) => undecidedVerdict(criterion, `Not judged. ${reason ?? ''}`.trim()));
}
