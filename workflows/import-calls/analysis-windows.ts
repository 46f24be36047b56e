import { condition } from '@temporalio/workflow';
import type { AnalyseResult } from '../../activities/analyse-calls/analyse-calls.ts';
import { analysis } from '../shared/activity-calls.ts';
import type { ImportControls } from './controls.ts';

/** Calls of one window: one activity, one transaction. */
const WINDOW = 100;
const WINDOWS_IN_FLIGHT = 2;

/** Analyses calls beside the listing, in windows, a few at a time. */
export interface AnalysisWindows {
  add(callIds: readonly string[]): void;
  /** Calls that are not analysed yet. */
  waiting(): number;
  /** Waits until another page may be read: what is read and not analysed stays bounded. @throws what stopped a window */
  room(): Promise<void>;
  /** Waits until every call is through. @throws what stopped a window */
  drained(): Promise<void>;
  /** Waits for the windows that run and starts no others. @returns the ids that no window took. @throws what stopped a window */
  settled(): Promise<string[]>;
}

export function openWindows(
  agent: { workspaceId: string; agentId: string },
  controls: Pick<ImportControls, 'mayGoOn'>,
  /** Told of each window, and how many calls are not analysed yet. */
  onResult: (result: AnalyseResult, waiting: number) => void,
): AnalysisWindows {
  const queue: string[] = [];
  let lanes = 0;
  let inFlight = 0;
  let stopped = false;
  let firstError: { error: unknown } | null = null;

  async function analyseNext(): Promise<void> {
    await controls.mayGoOn();
    const callIds = stopped ? [] : queue.splice(0, WINDOW);
    if (callIds.length === 0) return;
    inFlight += callIds.length;
    try {
      const result = await analysis(`${callIds.length} calls`).analyseCalls({ ...agent, callIds });
      inFlight -= callIds.length;
      onResult(result, queue.length + inFlight);
    } catch (error) {
      inFlight -= callIds.length;
      firstError ??= { error };
    }
  }

  async function openLane(): Promise<void> {
    lanes += 1;
    while (queue.length > 0 && !stopped && firstError === null) await analyseNext();
    lanes -= 1;
  }

  const orThrow = () => {
    if (firstError) throw firstError.error;
  };
  return {
    add(callIds) {
      queue.push(...callIds);
      while (lanes < WINDOWS_IN_FLIGHT && queue.length > lanes * WINDOW) {
        openLane().catch((error: unknown) => {
          firstError ??= { error };
        });
      }
    },
    waiting: () => queue.length + inFlight,
    async room() {
      await condition(() => queue.length < WINDOW * WINDOWS_IN_FLIGHT || firstError !== null);
      orThrow();
    },
    async drained() {
      await condition(() => lanes === 0);
      orThrow();
    },
    async settled() {
      stopped = true;
      await condition(() => inFlight === 0);
      orThrow();
      return [...queue];
    },
  };
}
