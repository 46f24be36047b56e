import type { Database } from '../../db/database.ts';
import { type RunUnderWay, runsUnderWay } from '../../db/runs/runs.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';
import type { TemporalGateway } from '../../temporal/client.ts';
import type { OutboxEntry } from '../../temporal/outbox.ts';
import { rescoreEntry, runEntry } from '../../temporal/run-tests.ts';

const BATCH = 100;
const ENDED = 'Its workflow was ended in Temporal. Start another.';

/**
 * Starts the workflow of every open run that Temporal has lost, where it goes on from the record; and brings runs to
 * their end whose workflow was terminated there, so that none stays open with its money held.
 * @returns how many were brought to their end.
 */
export async function reconcileRuns({
  database,
  temporal,
}: {
  database: Database;
  temporal: TemporalGateway;
}): Promise<number> {
  let ended = 0;
  for (const workspaceId of await listWorkspaceIds(database.unscoped())) {
    const em = database.within(workspaceId);
    for (let afterId: string | null = null; ; ) {
      const runs = await runsUnderWay(em, workspaceId, afterId, BATCH);
      for (const run of runs) {
        const entry = entryOf(workspaceId, run);
        await temporal.deliver(entry);
        if (!(await temporal.isOver(entry.workflowId))) continue;
        await temporal.deliver(entryOf(workspaceId, run, ENDED));
        ended += 1;
      }
      if (runs.length < BATCH) break;
      afterId = runs.at(-1)?.runId ?? null;
    }
  }
  return ended;
}

function entryOf(workspaceId: string, run: RunUnderWay, ended?: string): OutboxEntry {
  const { runId, agentId, agentName, retries, rescore } = run;
  const input = { runId, agentId, workspaceId, agentName, ...(ended === undefined ? {} : { ended }) };
  if (rescore !== null) return rescoreEntry({ ...input, nth: rescore });
  return runEntry({ ...input, ...(retries > 0 ? { retry: retries } : {}) });
}
