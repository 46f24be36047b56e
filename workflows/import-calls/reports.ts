import { defineSignal, getExternalWorkflowHandle } from '@temporalio/workflow';
import { COORDINATOR_SIGNALS, coordinatorId } from '../../src/temporal/agent-coordinator.ts';
import type { ImportEnded, ImportInput, ImportWaits } from '../../src/temporal/import-calls.ts';

/** What an import tells the coordinator that began it, where that listens. */
export interface Reports {
  waits(waitsFor: string | null, limitedUntilMs: number | null): void;
  ended(end: Pick<ImportEnded, 'status' | 'reason' | 'heldUntil'>): Promise<void>;
}

const waits = defineSignal<[ImportWaits]>(COORDINATOR_SIGNALS.importWaits);
const ended = defineSignal<[ImportEnded]>(COORDINATOR_SIGNALS.importEnded);

export function reportTo({ lane, agentId, importId, attempt }: ImportInput): Reports {
  if (lane === undefined) return { waits() {}, async ended() {} };
  const coordinator = getExternalWorkflowHandle(coordinatorId(agentId));
  const key = { importId, attempt };
  // A coordinator that is not there asks after the import when it is opened again.
  const unheard = () => {};
  return {
    waits(waitsFor, limitedUntilMs) {
      coordinator.signal(waits, { ...key, waitsFor, limitedUntilMs }).catch(unheard);
    },
    async ended(end) {
      await coordinator.signal(ended, { ...key, ...end }).catch(unheard);
    },
  };
}
