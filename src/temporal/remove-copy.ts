import type { Patience } from './import-calls.ts';
import type { StartEntry } from './outbox-entry.ts';

/** A copy of an agent, made for a run, is taken away from its platform: `copy/<copyId>`. */
export const REMOVE_COPY = 'removeCopy';
export const removeCopyId = (copyId: string) => `copy/${copyId}`;

export interface RemoveCopyInput {
  copyId: string;
  agentId: string;
  workspaceId: string;
  /** Left out but in tests. */
  patience?: Patience;
}

/** A making is given up early: people wait for the run. A removal has time; what is left then is tried again each hour. */
export const MAKE_COPY_PATIENCE: Patience = { firstGapMs: 2_000, longestGapMs: 30_000, giveUpAfterMs: 300_000 };
export const REMOVE_COPY_PATIENCE: Patience = { firstGapMs: 5_000, longestGapMs: 600_000, giveUpAfterMs: 86_400_000 };

export function removeCopyEntry(input: RemoveCopyInput): StartEntry<typeof REMOVE_COPY, RemoveCopyInput> {
  return { kind: 'start', workflow: REMOVE_COPY, workflowId: removeCopyId(input.copyId), input };
}
