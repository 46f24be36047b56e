import type { StartEntry } from './outbox-entry.ts';

/** Calls, the calls of a caller, an agent or a workspace, taken out of everything that knows of them. */
export const ERASE_DATA = 'eraseData';
export const erasureWorkflowId = (erasureId: string) => `erasure/${erasureId}`;

export interface ErasureInput {
  erasureId: string;
  workspaceId: string;
  /** Null: the whole workspace. */
  agentId: string | null;
  agentName?: string;
  /** The agent itself with all that it has, or the workspace with all its agents; else calls of the agent. */
  isWhole?: boolean;
}

/** What the attribute `EarshotStage` of an erasure holds. */
export type ErasureStage = 'stopping' | 'erasing' | 'leftovers' | 'grouping' | 'complete' | 'failed';

export interface ErasureProgress {
  stage: ErasureStage;
  total: number;
  done: number;
}
export const ERASURE_PROGRESS = 'progress';

export function erasureEntry(input: ErasureInput): StartEntry<typeof ERASE_DATA, ErasureInput> {
  return { kind: 'start', workflow: ERASE_DATA, workflowId: erasureWorkflowId(input.erasureId), input };
}
