import type { Asking, ImportInput, ImportPlan } from '../../src/temporal/import-calls.ts';
import { analysis } from '../shared/activity-calls.ts';
import { type AnalysisWindows, openWindows } from './analysis-windows.ts';
import type { ImportControls } from './controls.ts';
import { figures } from './details.ts';
import { startWaiting, type Waiting } from './platform-waits.ts';
import type { ShownProgress } from './progress.ts';
import type { Reports } from './reports.ts';
import { countAnalysed, countWaiting, type ImportState } from './state.ts';

/** What the steps of an import share. */
export interface ImportParts {
  input: ImportInput;
  plan: ImportPlan;
  owner: { workspaceId: string; agentId: string; importId: string };
  state: ImportState;
  controls: ImportControls;
  shown: ShownProgress;
  waiting: Waiting;
  windows: AnalysisWindows;
}

export function openParts(
  input: ImportInput,
  plan: ImportPlan,
  state: ImportState,
  {
    controls,
    shown,
    reports,
    isSettled,
  }: Pick<ImportParts, 'controls' | 'shown'> & { reports: Reports; isSettled: boolean },
): ImportParts {
  const { workspaceId, agentId, importId, carried } = input;
  const owner = { workspaceId, agentId, importId };
  const windows = openWindows(owner, controls, (result, waiting) => {
    countAnalysed(state, result);
    countWaiting(state, waiting);
    shown.changed();
  });
  windows.add(carried?.waitingCallIds ?? []);
  shown.begin(isSettled);
  const waiting = startWaiting(plan.patience, controls, (words, limitedUntilMs) => {
    shown.waitsFor(words);
    const { counts, pages, slice } = state.standing;
    const far = figures({ ...counts, pages, readBackTo: slice?.before ?? null });
    reports.waits(words === null ? null : `${words}, ${far}`, limitedUntilMs);
  });
  return { input, plan, owner, state, controls, shown, waiting, windows };
}

export const askingOf = ({ lane }: ImportInput, isPressed: boolean): Asking => ({
  ...(lane === undefined ? {} : { lane }),
  isPressed,
});

/** Signals become issues; nothing to do when nothing was analysed since the last time. */
export async function recomputeIssues({ owner, state, shown }: ImportParts): Promise<void> {
  if (state.ungrouped === 0) return;
  state.ungrouped = 0;
  state.grouped = true;
  const before = state.standing.listingEnded || state.cancelled ? 'analysing' : 'listing';
  shown.stage('grouping');
  const { workspaceId, agentId } = owner;
  await analysis('issues of the agent').regroup({ workspaceId, agentId, mode: 'incremental' });
  shown.stage(before);
}
