import {
  CancellationScope,
  continueAsNew,
  defineQuery,
  isCancellation,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  REANALYSIS_PROGRESS,
  type ReanalysisInput,
  type ReanalysisProgress,
  type ReanalysisStage,
} from '../../src/temporal/reanalyse.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { analysis, control } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';
import { onQuery } from '../shared/handlers.ts';

const WINDOWS_OF_ONE_RUN = 300;

/**
 * Reads the history of an agent again, apart from what is shown, and ends with the report; or, as another execution,
 * switches the new readings on. Where it stands is in the record: a new execution goes on from there.
 */
export async function reanalyse(input: ReanalysisInput): Promise<void> {
  const { workspaceId, agentId, reanalysisId } = input;
  const request = { workspaceId, agentId, reanalysisId };
  const shown = showReanalysis(input.task);
  try {
    let applies = input.task === 'apply';
    if (input.task === 'read') {
      const end = await readAll(request, shown);
      if (end === 'tired') return await continueAsNew<typeof reanalyse>(input);
      if (end === 'stopped') {
        await analysis('what was read').dropReanalysis(request);
        return shown.ended('Discarded; nothing was changed');
      }
      shown.stage('reporting');
      ({ applies } = await analysis('the report').reportReanalysis(request));
    }
    if (!applies) return shown.ended('Complete: the report says what switching on would change');
    if ((await applyAll(request, shown)) === 'tired') {
      return await continueAsNew<typeof reanalyse>({ ...input, task: 'apply' });
    }
    shown.stage('grouping');
    await analysis('issues of the agent').regroup({ workspaceId, agentId, mode: 'incremental' });
    await control.finishReanalysis(request);
    shown.ended('Complete: the new readings are switched on');
  } catch (error) {
    if (error instanceof Error && error.name === 'ContinueAsNew') throw error;
    const reason = isCancellation(error) ? 'Cancelled in Temporal.' : failureMessage(error);
    await CancellationScope.nonCancellable(() => control.failReanalysis({ ...request, reason }));
    shown.ended(`Ended early: ${reason}`);
  }
}

interface Request {
  workspaceId: string;
  agentId: string;
  reanalysisId: string;
}
type Shown = ReturnType<typeof showReanalysis>;

async function readAll(request: Request, shown: Shown): Promise<'over' | 'stopped' | 'tired'> {
  for (let windows = 0; windows < WINDOWS_OF_ONE_RUN && !workflowInfo().continueAsNewSuggested; windows += 1) {
    const { over, stopped, ...figures } = await analysis('100 calls').readWindowAgain(request);
    shown.figures(figures);
    if (stopped) return 'stopped';
    if (over) return 'over';
  }
  return 'tired';
}

async function applyAll(request: Request, shown: Shown): Promise<'over' | 'tired'> {
  shown.stage('applying');
  for (let windows = 0; windows < WINDOWS_OF_ONE_RUN && !workflowInfo().continueAsNewSuggested; windows += 1) {
    const { applied, over } = await analysis('100 readings').applyWindow(request);
    shown.figures({ applied });
    if (over) return 'over';
  }
  return 'tired';
}

const HELP: Record<ReanalysisStage, string> = {
  reading: 'What is shown stays as it is. Discard it in the app, or cancel it here: nothing is changed then.',
  reporting: 'Works out what would change. What is shown stays as it is.',
  applying: 'Puts the new readings in the place of the old ones. If it ends early it can be taken up again.',
  grouping: 'Groups the signals into issues.',
  ended: '',
};

function showReanalysis(task: ReanalysisInput['task']) {
  const progress: ReanalysisProgress = {
    stage: task === 'read' ? 'reading' : 'applying',
    total: 0,
    done: 0,
    failed: 0,
    applied: 0,
  };
  const words = () =>
    progress.stage === 'applying'
      ? `Switches on: ${progress.applied} calls done`
      : `Reads again: ${progress.done} of ${progress.total} calls, ${progress.failed} could not be read`;
  function changed(): void {
    setCurrentDetails(`**${words()}**\n\n${HELP[progress.stage]}`);
  }
  onQuery(defineQuery<ReanalysisProgress>(REANALYSIS_PROGRESS), 'How many calls are read again.', () => progress);
  changed();
  return {
    figures(figures: Partial<Pick<ReanalysisProgress, 'total' | 'done' | 'failed' | 'applied'>>) {
      Object.assign(progress, figures);
      changed();
    },
    stage(stage: ReanalysisStage) {
      progress.stage = stage;
      upsertSearchAttributes([attribute('EarshotStage', stage)]);
      changed();
    },
    ended(how: string) {
      progress.stage = 'ended';
      upsertSearchAttributes([attribute('EarshotStage', 'complete')]);
      setCurrentDetails(`**${how.replaceAll(/[`*_[\]<>#\n]/g, ' ')}**`);
    },
  };
}
