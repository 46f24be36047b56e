import type { Database } from '../../db/database.ts';
import { type RunUnderWay, runsUnderWay } from '../../db/runs/runs.ts';
import type { TemporalGateway } from '../../temporal/client.ts';
import type { OutboxEntry } from '../../temporal/outbox.ts';
import { rescoreEntry, runEntry } from '../../temporal/run-tests.ts';
import { each, eachWorkspace, pagesOf } from '../outbox/each.ts';

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
  await eachWorkspace(database, async (em, workspaceId) => {
    const runs = pagesOf((afterId) => runsUnderWay(em, workspaceId, afterId, BATCH), {
      idOf: ({ runId }) => runId,
      size: BATCH,
    });
    await each(runs, async (run) => {
      const entry = entryOf(workspaceId, run);
      await temporal.deliver(entry);
      if (!(await temporal.isOver(entry.workflowId))) return;
      await temporal.deliver(entryOf(workspaceId, run, ENDED));
      ended += 1;
    });
  });
  return ended;
}

function entryOf(workspaceId: string, run: RunUnderWay, ended?: string): OutboxEntry {
  const { runId, agentId, agentName, retries, rescore } = run;
  const input = { runId, agentId, workspaceId, agentName, ...(ended === undefined ? {} : { ended }) };
  if (rescore !== null) return rescoreEntry({ ...input, nth: rescore });
  return runEntry({ ...input, ...(retries > 0 ? { retry: retries } : {}) });
}
