import { patched } from '@temporalio/workflow';
import type { ImportedAtOnce } from '../../activities/import-calls/import-at-once.ts';
import type { ImportInput, ImportPlan } from '../../src/temporal/import-calls.ts';
import { analysis } from '../shared/activity-calls.ts';
import type { ImportControls } from './controls.ts';
import { endPage } from './pages.ts';
import { askingOf } from './parts.ts';
import { countAnalysed, countWaiting, type ImportState } from './state.ts';

/** Null where it cannot be done at once, or somebody wants it to wait. */
export async function importAtOnce(
  input: ImportInput,
  { key, paused, cancelled }: ImportState,
  controls: ImportControls,
): Promise<ImportedAtOnce | null> {
  const isHeld = paused || cancelled || controls.heldOffUntilMs() > 0;
  if (input.carried !== undefined || isHeld || !patched('small imports at once')) return null;
  const { agentId, versionsTaken = false } = input;
  const asking = askingOf(input, false);
  return analysis('all of it, where it is small').importAtOnce({ ...key, agentId, versionsTaken, asking });
}

export function takeAtOnce(state: ImportState, plan: ImportPlan, { pages, analysed, isSettled }: ImportedAtOnce): void {
  for (const page of pages) if (page.done) endPage(state, plan, page);
  if (analysed) countAnalysed(state, analysed);
  countWaiting(state, 0);
  if (isSettled) Object.assign(state, { ungrouped: 0, grouped: true });
}
