import type { EntityManager } from '../../src/db/database.ts';
import type { StoredAttempt } from '../../src/db/runs/attempts.ts';
import type { CriterionVerdict } from '../../src/domain/runs/attempt.ts';
import { isSettled, type ReadAnswer, readJudgeAnswer, verdictsOf } from '../../src/domain/runs/judge-answers.ts';
import type { TestSpec } from '../../src/domain/tests/spec.ts';
import { judgeRequest } from '../../src/models/judge.ts';
import type { AttemptKey } from '../../src/temporal/run-tests.ts';
import type { ActivityDeps } from '../deps.ts';
import { askCounted } from '../shared/counted-question.ts';
import { operators } from '../shared/reader-of.ts';

export interface Judged {
  /** Of the criteria that code does not decide, in their order. */
  verdicts: CriterionVerdict[];
  /** Why no answer could be had, in a sentence; null where there was one, or none was needed. */
  trouble: string | null;
  /** What all questions cost. */
  nanoUsd: number;
}

/** Questions about one attempt over all layers and processes, for each time that it is scored. */
const ASKS_AT_MOST = 3;

const leftToJudge = ({ criteria }: TestSpec) => criteria.filter(({ check }) => check === null);

/** Whether a question may go out to a judge before an attempt has its score. */
export const mayAskJudge = ({ models }: Pick<ActivityDeps, 'models'>, spec: TestSpec): boolean =>
  models.judge !== null && leftToJudge(spec).length > 0;

/** Asks the judge about every criterion without a check, in one question, until its answers settle them. */
export async function askJudge(
  deps: ActivityDeps,
  em: EntityManager,
  { stored, nth, key }: { stored: StoredAttempt; nth: number; key: AttemptKey },
): Promise<Judged> {
  const criteria = leftToJudge(stored.spec);
  if (criteria.length === 0) return { verdicts: [], trouble: null, nanoUsd: 0 };
  const { judge } = deps.models;
  if (judge === null) return without(criteria, 'No judge model is configured, and code can’t decide this criterion.');
  const { turns } = stored.played;
  const question = {
    workspaceId: key.workspaceId,
    agentId: key.agentId,
    purpose: 'judge',
    // One subject for all asks of this score: the record counts them, whoever makes them.
    subject: `${stored.attemptId}/${nth}`,
    asksAtMost: ASKS_AT_MOST,
    asks: operators(deps.models, judge),
    request: judgeRequest(criteria, turns),
  };
  const answers: ReadAnswer[] = [];
  let model: string | null = null;
  let trouble: string | null = null;
  let nanoUsd = 0;
  while (trouble === null && !isSettled(criteria, answers, ASKS_AT_MOST - answers.length)) {
    const answer = await askCounted(em, question);
    if (answer.state !== 'exhausted') ({ nanoUsd } = answer);
    switch (answer.state) {
      case 'answered':
        answers.push(readJudgeAnswer(criteria, turns, answer.value));
        ({ model } = answer);
        break;
      case 'exhausted':
        trouble = exhausted(answer.freeAt);
        break;
      case 'unusable':
        trouble = `The judge gave no usable answer. ${answer.reason}`;
        break;
      default:
        answer satisfies never;
    }
  }
  if (answers.length > 0) trouble = null;
  return { verdicts: verdictsOf(criteria, answers, { model, trouble }), trouble, nanoUsd };
}

function without(criteria: StoredAttempt['spec']['criteria'], trouble: string): Judged {
  return { verdicts: verdictsOf(criteria, [], { model: null, trouble }), trouble, nanoUsd: 0 };
}

function exhausted(freeAt: string | null): string {
  const until = freeAt === null ? 'It never covers a question of this size.' : `It has room again from ${freeAt}.`;
  return `The AI allowance of the workspace is used up, so the judge was not asked. ${until}`;
}
