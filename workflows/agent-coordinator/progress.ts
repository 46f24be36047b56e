import { defineQuery, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { COORDINATOR_PROGRESS, type CoordinatorProgress } from '../../src/temporal/agent-coordinator.ts';
import { attribute } from '../../src/temporal/search-attributes.ts';
import { onQuery } from '../shared/handlers.ts';
import { coordinatorDetails, progressOf } from './lane-words.ts';
import type { Standing, Step } from './lanes.ts';
import type { CoordinatorState } from './messages.ts';

/** Shows what the coordinator does in its query, its current details and its stage attribute. */
export interface ShownCoordinator {
  now(step: Step): void;
}

export function showCoordinator(state: CoordinatorState, standing: () => Standing): ShownCoordinator {
  let stage: CoordinatorProgress['state'] = 'idle';
  let doing: Step['do'] = 'wait';
  const current = () => progressOf(standing(), doing);
  onQuery(
    defineQuery<CoordinatorProgress>(COORDINATOR_PROGRESS),
    'What each lane does or waits for, and how much is queued.',
    current,
  );
  return {
    now(step) {
      doing = step.do;
      const now = current();
      if (now.state !== stage) upsertSearchAttributes([attribute('EarshotStage', now.state)]);
      stage = now.state;
      setCurrentDetails(coordinatorDetails(now, state.trouble));
    },
  };
}
