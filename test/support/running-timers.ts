import type { WorkflowHandle } from '@temporalio/client';

/** Timers of the present execution that still run. */
export async function runningTimers(handle: WorkflowHandle): Promise<number> {
  const { events } = await handle.fetchHistory();
  const count = (kind: 'timerStarted' | 'timerFired' | 'timerCanceled') =>
    (events ?? []).filter((event) => event[`${kind}EventAttributes`]).length;
  return count('timerStarted') - count('timerFired') - count('timerCanceled');
}
