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
  ERASURE_PROGRESS,
  type ErasureInput,
  type ErasureProgress,
  type ErasureStage,
} from '../../src/temporal/erase-data.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { analysis, control } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';
import { onQuery } from '../shared/handlers.ts';

const BATCHES_OF_ONE_RUN = 300;

/**
 * Erases calls in batches, then what they shared, and brings issues and comparisons to what is left; or an agent or a
 * workspace as a whole. What was erased stays erased: where it stands is in the record, and a new execution goes on from
 * there.
 */
export async function eraseData(input: ErasureInput): Promise<void> {
  const { workspaceId, agentId, erasureId } = input;
  const owner = { workspaceId, agentId, erasureId };
  const shown = showErasure();
  try {
    if (input.isWhole) await eraseWhole(owner, shown);
    else if (agentId !== null && (await eraseCalls({ ...owner, agentId }, shown)) === 'tired') {
      return await continueAsNew<typeof eraseData>(input);
    }
    await control.finishErasure(owner);
    shown.stage('complete');
  } catch (error) {
    if (error instanceof Error && error.name === 'ContinueAsNew') throw error;
    const reason = isCancellation(error) ? 'Cancelled in Temporal.' : failureMessage(error, 'erasure');
    await CancellationScope.nonCancellable(() => control.failErasure({ ...owner, reason }));
    shown.stage('failed', reason);
  }
}

async function eraseCalls(request: Request, shown: Shown): Promise<'over' | 'tired'> {
  if ((await eraseAll(request, shown)) === 'tired') return 'tired';
  const { workspaceId, agentId } = request;
  shown.stage('leftovers');
  await analysis('what calls shared').eraseLeftovers(request);
  shown.stage('grouping');
  await analysis('issues of the agent').regroup({ workspaceId, agentId, mode: 'incremental' });
  return 'over';
}

async function eraseWhole(owner: Omit<Request, 'agentId'> & { agentId: string | null }, shown: Shown): Promise<void> {
  shown.stage('stopping');
  await analysis('open workflows').stopWork(owner);
  shown.stage('erasing');
  shown.figures(await analysis('all rows').eraseOwner(owner));
}

interface Request {
  workspaceId: string;
  agentId: string;
  erasureId: string;
}
type Shown = ReturnType<typeof showErasure>;

async function eraseAll(request: Request, shown: Shown): Promise<'over' | 'tired'> {
  for (let batches = 0; batches < BATCHES_OF_ONE_RUN && !workflowInfo().continueAsNewSuggested; batches += 1) {
    const { over, ...figures } = await analysis('100 calls').eraseBatch(request);
    shown.figures(figures);
    if (over) return 'over';
  }
  return 'tired';
}

const WORDS: Record<ErasureStage, string> = {
  stopping: 'Ends whatever works on it.',
  erasing: 'What is erased stays erased. Cancelled here, the rest stays until it is asked for again.',
  leftovers: 'Looks through what has no key of a call, and through words that calls shared.',
  grouping: 'Brings issues and comparisons to what is left.',
  complete: 'Complete: the report says what was removed, table by table.',
  failed: 'Ended early. What was erased stays erased; ask for the erasure again to go on.',
};

function showErasure() {
  const progress: ErasureProgress = { stage: 'erasing', total: 0, done: 0 };
  function show(reason = ''): void {
    const { stage, done, total } = progress;
    const plain = reason.replaceAll(/[`*_[\]<>#\n]/g, ' ');
    setCurrentDetails(`**Erased: ${done} of ${total} calls**\n\n${WORDS[stage]} ${plain}`.trimEnd());
  }
  onQuery(defineQuery<ErasureProgress>(ERASURE_PROGRESS), 'How much is erased.', () => progress);
  show();
  return {
    figures(figures: { total: number; done: number }) {
      Object.assign(progress, figures);
      show();
    },
    stage(stage: ErasureStage, reason?: string) {
      progress.stage = stage;
      upsertSearchAttributes([attribute('EarshotStage', stage)]);
      show(reason);
    },
  };
}
