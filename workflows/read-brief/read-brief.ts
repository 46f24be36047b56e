import { setCurrentDetails } from '@temporalio/workflow';
import type { BriefReadInput } from '../../src/temporal/read-brief.ts';
import { analysis, control } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';
import { patiently } from '../shared/patiently.ts';

/** Reads what an agent is told to do, and drafts its brief from that for a person to approve. */
export async function readBrief(input: BriefReadInput): Promise<void> {
  const { workspaceId, agentId, read } = input;
  const owner = { workspaceId, agentId, read };
  try {
    await patiently(
      input.patience,
      (message) => control.noteBrief({ ...owner, message }),
      () => analysis('configuration').captureVersions({ workspaceId, agentId }),
    );
    await control.draftBrief(owner);
    setCurrentDetails('The brief is drafted and waits for a person to approve it.');
  } catch (error) {
    const message = failureMessage(error);
    await control.noteBrief({ ...owner, message });
    setCurrentDetails(`Ended without a brief: ${message}`);
  }
}
