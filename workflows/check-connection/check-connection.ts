import { setCurrentDetails } from '@temporalio/workflow';
import type { ConnectionCheckInput } from '../../src/temporal/check-connection.ts';
import { control, check as looks } from '../shared/activity-calls.ts';
import { failureMessage } from '../shared/failure-message.ts';
import { patiently } from '../shared/patiently.ts';

/** Looks at the platform with the key of a connection until it answers; what it says stands in the connection's row. */
export async function checkConnection(input: ConnectionCheckInput): Promise<void> {
  const { workspaceId, connectionId, check } = input;
  const owner = { workspaceId, connectionId, check };
  const say = (message: string) => control.noteConnection({ ...owner, status: 'checking', message });
  try {
    await patiently(input.patience, say, () => looks('key and agents').lookAtPlatform(owner));
    setCurrentDetails('The platform answered; the connection shows what it said.');
  } catch (error) {
    const message = failureMessage(error);
    await control.noteConnection({ ...owner, status: 'refused', message });
    setCurrentDetails(`Ended: ${message}`);
  }
}
