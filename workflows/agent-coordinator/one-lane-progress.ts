import { defineQuery, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import {
  COORDINATOR_PROGRESS,
  type CoordinatorProgress,
  type ImportRequest,
} from '../../src/temporal/agent-coordinator.ts';
import { importWorkflowId } from '../../src/temporal/import-calls.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { clock } from '../shared/clock.ts';
import { onQuery } from '../shared/handlers.ts';
import type { CoordinatorState } from './messages.ts';

/** Shows what the coordinator does in its query, its current details and its stage attribute. */
export interface ShownCoordinator {
  /** @param nextPollAtMs null where nothing is polled. */
  idle(nextPollAtMs: number | null): void;
  importing(request: ImportRequest): void;
  analysing(): void;
  grouping(): void;
}

export function showCoordinator(state: CoordinatorState): ShownCoordinator {
  let progress: Omit<CoordinatorProgress, 'queued'> = {
    state: 'idle',
    importId: null,
    waitsFor: 'Waits for the first order',
  };

  function show(next: typeof progress): void {
    if (next.state !== progress.state) upsertSearchAttributes([attribute('EarshotStage', next.state)]);
    progress = next;
    const queued = state.queue.length > 0 ? [`${state.queue.length} imports are waiting their turn.`] : [];
    const trouble = state.trouble === null ? [] : [state.trouble];
    setCurrentDetails([`**${next.waitsFor}**`, ...queued, ...trouble].join('\n\n'));
  }

  onQuery(
    defineQuery<CoordinatorProgress>(COORDINATOR_PROGRESS),
    'What it does or waits for, and how much is queued.',
    () => ({
      ...progress,
      queued: state.queue.length,
    }),
  );
  return {
    idle(nextPollAtMs) {
      if (state.paused) {
        return show({
          state: 'paused',
          importId: null,
          waitsFor: 'Paused by a person: send the signal `goOn` to go on',
        });
      }
      const waitsFor =
        nextPollAtMs === null
          ? 'Waits for records to be uploaded'
          : `Waits for the next poll at ${clock(nextPollAtMs, Date.now())}`;
      const held =
        state.heldUntilMs === null
          ? ''
          : `; calls wait for the allowance until ${clock(state.heldUntilMs, Date.now())}`;
      show({ state: 'idle', importId: null, waitsFor: `${waitsFor}${held}` });
    },
    importing(request) {
      const name = importWorkflowId(request.importId, request.attempt);
      show({ state: 'importing', importId: request.importId, waitsFor: `Imports calls: see the workflow ${name}` });
    },
    analysing() {
      show({ state: 'analysing', importId: null, waitsFor: 'Analyses calls that waited for the allowance' });
    },
    grouping() {
      show({ state: 'grouping', importId: null, waitsFor: 'Groups the signals into issues' });
    },
  };
}
