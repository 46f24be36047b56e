import type { StartEntry } from './outbox-entry.ts';

/** Calls, or the calls of a caller, taken out of everything that knows of them. */
export const ERASE_DATA = 'eraseData';
export const erasureWorkflowId = (erasureId: string) => `erasure/${erasureId}`;

export interface ErasureInput {
  erasureId: string;
  workspaceId: string;
  agentId: string;
  agentName?: string;
}

/** What the attribute `EarshotStage` of an erasure holds. */
export type ErasureStage = 'erasing' | 'leftovers' | 'grouping' | 'complete' | 'failed';

export interface ErasureProgress {
  stage: ErasureStage;
  total: number;
  done: number;
}
export const ERASURE_PROGRESS = 'progress';

export function erasureEntry(input: ErasureInput): StartEntry<typeof ERASE_DATA, ErasureInput> {
  return { kind: 'start', workflow: ERASE_DATA, workflowId: erasureWorkflowId(input.erasureId), input };
}
