import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { createTemporal } from '../../src/temporal/client.ts';

const DAY_MS = 86_400_000;

/** Whether a Temporal server answers there, within a second. */
export async function answersAt(address: string): Promise<boolean> {
  let connection: Connection | undefined;
  try {
    connection = await Connection.connect({ address, connectTimeout: '1s' });
    const { workflowService } = connection;
    await connection.withDeadline(Date.now() + 2_000, () => workflowService.getSystemInfo({}));
    return true;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}

/** The embedded server is its data folder's, and so of whichever database is worked on from there now. */
export async function giveNamespace(address: string, namespace: string, installation: string): Promise<void> {
  const temporal = await createTemporal({ address, namespace });
  try {
    await temporal.bindTo(installation, true);
  } finally {
    await temporal.close();
  }
}

/** How long closed workflows stay readable; without it they vanish after a day. */
export async function setRetention(connection: Connection, namespace: string, days: number): Promise<void> {
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: msToTs(days * DAY_MS) },
  });
}
