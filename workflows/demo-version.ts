import { setCurrentDetails } from '@temporalio/workflow';
import type { NextDemoVersionInput } from '../src/durable/demo-version.ts';
import { analysis } from './activity-calls.ts';
import { patiently } from './connect.ts';
import { sentenceOf } from './import-patience.ts';

/** Has the demo platform publish another version of a copy; the agent's desk is told in the same step. */
export async function nextDemoVersion(input: NextDemoVersionInput): Promise<void> {
  const { desk, requestId } = input;
  try {
    const { version } = await patiently(
      input.patience,
      async () => {},
      () => analysis('another version of the demo').publishDemoVersion({ desk, requestId }),
    );
    setCurrentDetails(`Version ${version} is published, and the agent's desk fetches it with its calls.`);
  } catch (error) {
    setCurrentDetails(`Ended without a version: ${sentenceOf(error)}`);
  }
}
