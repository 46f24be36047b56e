import { ApplicationFailure } from '@temporalio/activity';
import { loadReadings } from '../../src/db/watches/live.ts';
import { readJudgeAnswer } from '../../src/domain/runs/judge-answers.ts';
import type { CallReading } from '../../src/domain/signals/reading.ts';
import { NOT_EVALUATED } from '../../src/domain/watches/go-live-bar.ts';
import { isAbout, type JudgedCall, judgedByModel, type WatchToJudge } from '../../src/domain/watches/judge-call.ts';
import { judgeRequest } from '../../src/models/judge.ts';
import { judgeWindowOf, type WindowJudge, type WindowJudged } from '../../src/services/watches/judge-window.ts';
import { FAILURE_TYPES } from '../../src/temporal/failures.ts';
import type { ActivityDeps } from '../deps.ts';
import { askCounted } from '../shared/counted-question.ts';
import { judgeOf, type PaidModel, type ReaderDeps } from '../shared/reader-of.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import type { BacktestRequest } from './backtest.ts';

/** Calls that a model judges for one backtest: enough for its samples, at a price that people expect. */
const IN_SCOPE_AT_MOST = 100;
const CONSIDERED_AT_MOST = 500;
/** So few that their questions end well within the time of an activity. */
const WINDOW = 2;
const ASKS_AT_MOST = 2;

/** The windows of a backtest that only a model can judge. */
export function createJudgeByModel(deps: Pick<ActivityDeps, 'database'> & ReaderDeps) {
  return {
    async judgeWindowByModel(request: BacktestRequest): Promise<WindowJudged> {
      const em = deps.database.within(request.workspaceId);
      const judge = await judgeOf(deps, em, request.workspaceId);
      if (judge === null) throw failure(NOT_EVALUATED);
      return withHeartbeat(
        () => ({}),
        () => judgeWindowOf(em, request, modelJudge(judge, request)),
      );
    },
  };
}

const failure = (message: string) =>
  ApplicationFailure.create({ type: FAILURE_TYPES.modelAway, message, nonRetryable: true });

/** `trouble`: why the model's answer could not be had; null where it could. */
type Asked = JudgedCall & { trouble: string | null };

function modelJudge(asks: PaidModel, { workspaceId, agentId, revision }: BacktestRequest): WindowJudge {
  return {
    isModel: true,
    window: WINDOW,
    inScopeAtMost: IN_SCOPE_AT_MOST,
    consideredAtMost: CONSIDERED_AT_MOST,
    async judge(em, _agentId, callIds, watch) {
      const readings = await loadReadings(em, agentId, callIds);
      const asked = new Map<string, Asked>();
      for (const [callId, reading] of readings) {
        if (!isAbout(watch.form, reading)) continue;
        const subject = `${watch.watchId}/${revision}/${callId}`;
        const request = judgeRequest([criterionOf(watch)], reading.call.turns, 'recorded');
        const question = { workspaceId, agentId, purpose: 'watch', subject, asksAtMost: ASKS_AT_MOST, asks, request };
        const answer = await askCounted(em, question);
        if (answer.state === 'exhausted') throw failure('The AI allowance of the workspace is used up.');
        asked.set(
          callId,
          answer.state === 'answered'
            ? { ...read(watch, reading, answer.value), trouble: null }
            : { verdicts: [], notComputable: [watch.watchId], trouble: answer.reason },
        );
      }
      refuseSilence([...asked.values()]);
      return asked;
    },
  };
}

const ID = 'expectation';
const criterionOf = ({ form: { expectation } }: WatchToJudge) => ({
  id: ID,
  text: expectation.kind === 'judged' ? expectation.text : '',
  required: true,
  check: null,
});

function read(watch: WatchToJudge, reading: CallReading, answer: Parameters<typeof readJudgeAnswer>[2]): JudgedCall {
  const found = readJudgeAnswer([criterionOf(watch)], reading.call.turns, answer).get(ID);
  return judgedByModel(watch, reading, found ?? { met: null, turn: null, quote: null, because: '' });
}

/** One call without an answer can't be computed; where no call of a window has one, the backtest ends and says why. */
function refuseSilence(asked: readonly Asked[]): void {
  const [first] = asked;
  if (first?.trouble == null || asked.some(({ trouble }) => trouble === null)) return;
  throw failure(`The judge gave no usable answer. ${first.trouble}`);
}
