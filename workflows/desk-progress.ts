import { defineQuery, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import { DESK_PROGRESS, type DeskProgress, type ImportRequest } from '../src/durable/desk.ts';
import { importWorkflowId } from '../src/durable/import.ts';
import { attribute } from '../src/durable/search-attributes.ts';
import type { DeskMessages } from './desk-messages.ts';
import { clock } from './import-words.ts';

/** Shows what the desk does in its query, its current details and its stage attribute. */
export interface ShownDesk {
  /** @param nextPollAtMs null where nothing is polled. */
  idle(nextPollAtMs: number | null): void;
  importing(request: ImportRequest): void;
  analysing(): void;
  grouping(): void;
}

export function showDesk(desk: DeskMessages): ShownDesk {
  let progress: Omit<DeskProgress, 'queued'> = { state: 'idle', importId: null, waitsFor: 'Waits for the first order' };

  function show(next: typeof progress): void {
    if (next.state !== progress.state) upsertSearchAttributes([attribute('EarshotStage', next.state)]);
    progress = next;
    const queued = desk.queue.length > 0 ? [`${desk.queue.length} imports are waiting their turn.`] : [];
    const trouble = desk.trouble === null ? [] : [desk.trouble];
    setCurrentDetails([`**${next.waitsFor}**`, ...queued, ...trouble].join('\n\n'));
  }

  setHandler(defineQuery<DeskProgress>(DESK_PROGRESS), () => ({ ...progress, queued: desk.queue.length }));
  return {
    idle(nextPollAtMs) {
      if (desk.paused) {
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
        desk.heldUntilMs === null ? '' : `; calls wait for the allowance until ${clock(desk.heldUntilMs, Date.now())}`;
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
