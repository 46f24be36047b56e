import type { Patience } from './import-calls.ts';
import type { StartEntry } from './outbox-entry.ts';

/** Reading an agent's configuration at its platform, and its brief from that. */
export const READ_BRIEF = 'readBrief';
export const briefReadId = (agentId: string, read: number) => `brief/${agentId}/${read}`;

export interface BriefReadInput {
  workspaceId: string;
  agentId: string;
  agentName?: string;
  read: number;
  patience?: Patience;
}

export function briefReadEntry(input: BriefReadInput): StartEntry<typeof READ_BRIEF, BriefReadInput> {
  return {
    kind: 'start',
    workflow: READ_BRIEF,
    workflowId: briefReadId(input.agentId, input.read),
    input,
  };
}
