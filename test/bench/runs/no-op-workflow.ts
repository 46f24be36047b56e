import { proxyActivities } from '@temporalio/workflow';

const { doNothing } = proxyActivities<{ doNothing(): Promise<void> }>({ startToCloseTimeout: '10 seconds' });

/** One activity, which does nothing. */
export async function noOp(): Promise<void> {
  await doNothing();
}
