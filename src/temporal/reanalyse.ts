import type { StartEntry } from './outbox-entry.ts';

/** The history of an agent read again: apart from what is shown until it is switched on. */
export const REANALYSE = 'reanalyse';
export const reanalysisId = ({ reanalysisId: id, task }: Pick<ReanalysisInput, 'reanalysisId' | 'task'>) =>
  task === 'read' ? `reanalysis/${id}` : `reanalysis/${id}/apply`;

export interface ReanalysisInput {
  reanalysisId: string;
  agentId: string;
  workspaceId: string;
  agentName?: string;
  /** `read` ends with the report; `apply` switches the new readings on. */
  task: 'read' | 'apply';
}

/** What the attribute `EarshotStage` of a re-analysis holds. */
export type ReanalysisStage = 'reading' | 'reporting' | 'applying' | 'grouping' | 'ended';

export interface ReanalysisProgress {
  stage: ReanalysisStage;
  total: number;
  done: number;
  failed: number;
  applied: number;
}
export const REANALYSIS_PROGRESS = 'progress';

export function reanalysisEntry(input: ReanalysisInput): StartEntry<typeof REANALYSE, ReanalysisInput> {
  return {
    kind: 'start',
    workflow: REANALYSE,
    workflowId: reanalysisId(input),
    input,
  };
}
