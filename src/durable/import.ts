/** One import of an agent's calls, started by the desk. */
export const IMPORT_CALLS = 'importCalls';
export const importWorkflowId = (importId: string, attempt: number) => `import/${importId}/${attempt}`;

export interface ImportInput {
  importId: string;
  attempt: number;
  agentId: string;
  workspaceId: string;
}

export const IMPORT_SIGNALS = {
  tryNow: 'tryNow',
  retryFailed: 'retryFailed',
  pause: 'pause',
  goOn: 'goOn',
  cancel: 'cancel',
} as const;

export interface ImportProgress {
  stage: 'listing' | 'analysing' | 'grouping' | 'paused' | 'waiting' | 'done';
  listed: number;
  stored: number;
  unchanged: number;
  analysed: number;
  waiting: number;
  failed: number;
  /** At most 20 reasons with their counts. */
  reasons: { reason: string; calls: number }[];
  waitsFor: string | null;
}
export const IMPORT_PROGRESS = 'progress';
