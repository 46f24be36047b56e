import {
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  BACKTEST_CHANGED,
  BACKTEST_PROGRESS,
  type BacktestInput,
  type BacktestProgress,
  type BacktestStage,
} from '../../src/temporal/backtest-watch.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { analysis, control, models } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';
import { onQuery, onSignal } from '../shared/handlers.ts';

const WINDOWS_OF_ONE_RUN = 300;

/**
 * Holds a revision of a watch against the last calls in its scope and draws samples. Where it stands, and whether it was
 * paused or cancelled, is in the record; a signal says that the record has changed.
 */
export async function backtestWatch(input: BacktestInput): Promise<void> {
  const { workspaceId, agentId, watchId, revision } = input;
  const request = { workspaceId, agentId, watchId, revision };
  const shown = showBacktest();
  try {
    const end = await judgeAll(request, shown);
    if (end === 'tired') return await continueAsNew<typeof backtestWatch>(input);
    if (end === 'stopped') return shown.ended('Ended early: it was cancelled, or the watch was edited');
    shown.stage('sampling');
    const { finished } = await analysis('samples').drawWatchSamples(request);
    shown.ended(finished ? 'Complete: its samples wait for labels' : 'Ended early: it was cancelled or edited');
  } catch (error) {
    if (error instanceof Error && error.name === 'ContinueAsNew') throw error;
    const isCancelled = isCancellation(error);
    const reason = isCancelled ? 'Cancelled in Temporal.' : failureMessage(error);
    const to = isCancelled ? 'cancelled' : 'failed';
    await CancellationScope.nonCancellable(() => control.endBacktestEarly({ ...request, to, reason }));
    shown.ended(`Ended early: ${reason}`);
  }
}

type Request = Omit<BacktestInput, 'agentName'>;
type Shown = ReturnType<typeof showBacktest>;

const judgeNext = (request: Request, byModel: boolean) =>
  byModel ? models('calls of a watch').judgeWindowByModel(request) : analysis('100 calls').judgeWindow(request);

async function judgeAll(request: Request, shown: Shown): Promise<'over' | 'stopped' | 'tired'> {
  let byModel = false;
  for (let windows = 0; windows < WINDOWS_OF_ONE_RUN && !workflowInfo().continueAsNewSuggested; windows += 1) {
    shown.hears();
    const { state, ...figures } = await judgeNext(request, byModel);
    shown.figures(figures);
    byModel ||= state === 'model';
    if (state === 'over' || state === 'stopped') return state;
    if (state === 'paused') await shown.pause();
  }
  return 'tired';
}

const HELP: Record<BacktestStage, string> = {
  judging: 'Nothing that is shown changes by it. Cancel it in the app, or here.',
  paused: 'Goes on when somebody says so in the app.',
  sampling: 'Draws calls for people to label.',
  ended: '',
};

function showBacktest() {
  const progress: BacktestProgress = { stage: 'judging', candidates: 0, considered: 0, inScope: 0, flagged: 0 };
  let changed = false;
  const say = () => {
    const { considered, candidates, inScope, flagged } = progress;
    const words = `${considered} of at most ${candidates} calls looked at: ${inScope} in scope, ${flagged} flagged`;
    setCurrentDetails(`**${words}**\n\n${HELP[progress.stage]}`);
  };
  const stage = (next: BacktestStage) => {
    if (progress.stage === next) return;
    progress.stage = next;
    upsertSearchAttributes([attribute('EarshotStage', next)]);
    say();
  };
  onQuery(
    defineQuery<BacktestProgress>(BACKTEST_PROGRESS),
    'How many calls the watch was held against.',
    () => progress,
  );
  onSignal(defineSignal(BACKTEST_CHANGED), 'The watch or its labels changed: looks at the record again.', () => {
    changed = true;
  });
  say();
  return {
    /** What is told from here on is news. */
    hears() {
      changed = false;
    },
    figures(figures: Omit<BacktestProgress, 'stage'>) {
      Object.assign(progress, figures);
      say();
    },
    stage,
    async pause() {
      stage('paused');
      await condition(() => changed);
      stage('judging');
    },
    ended(how: string) {
      progress.stage = 'ended';
      upsertSearchAttributes([attribute('EarshotStage', 'complete')]);
      setCurrentDetails(`**${how.replaceAll(/[`*_[\]<>#\n]/g, ' ')}**`);
    },
  };
}
