import { setCurrentDetails } from '@temporalio/workflow';
import { REMOVE_COPY_PATIENCE, type RemoveCopyInput } from '../../src/temporal/remove-copy.ts';
import { analysis, control } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';
import { patiently } from '../shared/patiently.ts';

/** Takes a copy of an agent away from its platform. What stays there is in the record with its reason, and tried again. */
export async function removeCopy(input: RemoveCopyInput): Promise<void> {
  try {
    await patiently(
      input.patience ?? REMOVE_COPY_PATIENCE,
      (problem) => control.noteCopy({ ...input, problem }),
      () => analysis('takes the copy away').removeCopy(input),
    );
    setCurrentDetails('**Removed.** Nothing of it is left at the platform.');
  } catch (error) {
    const problem = failureMessage(error, 'removal');
    await control.noteCopy({ ...input, problem });
    setCurrentDetails(
      `**Still at the platform.** ${problem.replaceAll(/[`*_[\]<>#\n]/g, ' ')} It is tried again each hour.`,
    );
  }
}
