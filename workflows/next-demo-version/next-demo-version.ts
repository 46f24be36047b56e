import { setCurrentDetails } from '@temporalio/workflow';
import type { NextDemoVersionInput } from '../../src/temporal/next-demo-version.ts';
import { analysis } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';
import { patiently } from '../shared/patiently.ts';

/** Has the demo platform publish another version of a copy; the agent's coordinator is told in the same step. */
export async function nextDemoVersion(input: NextDemoVersionInput): Promise<void> {
  const { desk, requestId } = input;
  try {
    const { version } = await patiently(
      input.patience,
      async () => {},
      () => analysis('another version of the demo').publishDemoVersion({ desk, requestId }),
    );
    setCurrentDetails(`Version ${version} is published, and the agent's coordinator fetches it with its calls.`);
  } catch (error) {
    setCurrentDetails(`Ended without a version: ${failureMessage(error)}`);
  }
}
