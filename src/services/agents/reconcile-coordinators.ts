import { agentsToCoordinate } from '../../db/agents/agent-source.ts';
import { accountsToPoll } from '../../db/connections/accounts.ts';
import type { Database, EntityManager } from '../../db/database.ts';
import { finishImport, quietImports } from '../../db/imports/imports.ts';
import { pollAccountEveryEntry, pollerEntry, restPollerEntry } from '../../temporal/account-poller.ts';
import { analyseEntry, coordinatorEntry, importEntry, pollEveryEntry } from '../../temporal/agent-coordinator.ts';
import type { TemporalGateway } from '../../temporal/client.ts';
import { importWorkflowId } from '../../temporal/import-calls.ts';
import { each, eachWorkspace, pagesOf } from '../outbox/each.ts';
import { coordinatorOf } from './coordinator-input.ts';
import { pollerOf } from './poller-input.ts';

const BATCH = 100;
/** A running import writes its row at least this often while it works; a waiting or paused one is asked once more, in vain. */
const QUIET_SECONDS = 120;

export interface ReconcileDeps {
  database: Database;
  temporal: TemporalGateway;
  polling: { polls: boolean; pollSeconds: number };
}

const ENDED_WITHOUT_A_WORD =
  'Its workflow in Temporal ended without a word, as when another installation uses the same namespace. Retry it.';

const hourNow = () => new Date().toISOString().slice(0, 13);

/**
 * Starts the pollers and coordinators that are missing and hands them imports that nobody seems to work on. With a Temporal server that
 * lost its data this brings everything back from PostgreSQL; with a sound one it changes nothing, because ids are made
 * of the rows' and a coordinator drops a request that it knows. An import whose workflow has ended while its row has not
 * would never go on: it has failed, and can be retried. The first time of a process, open ones are told how often to
 * poll, as its settings may be others than those that they were opened under.
 */
export async function reconcileCoordinators(deps: ReconcileDeps, isFirst = false): Promise<{ coordinators: number }> {
  let coordinators = 0;
  await eachWorkspace(deps.database, async (em, workspaceId) => {
    await reconcilePollers(deps, em, workspaceId, isFirst);
    coordinators += await reconcileWorkspace(deps, em, workspaceId, isFirst);
  });
  return { coordinators };
}

/** A poller whose connection or agents are gone ends by itself at its next look. */
async function reconcilePollers(
  { temporal, polling }: ReconcileDeps,
  em: EntityManager,
  workspaceId: string,
  isFirst: boolean,
): Promise<void> {
  await each(await accountsToPoll(em, workspaceId), async (account) => {
    const poller = pollerOf({ ...account, workspaceId }, polling);
    if (polling.polls) await temporal.deliver(isFirst ? pollAccountEveryEntry(poller) : pollerEntry(poller));
    else if (isFirst) await temporal.deliver(restPollerEntry(account.connectionId));
  });
}

async function reconcileWorkspace(
  { temporal, polling }: ReconcileDeps,
  em: EntityManager,
  workspaceId: string,
  isFirst: boolean,
): Promise<number> {
  const quiet = new Map<string, { importId: string; attempt: number }[]>();
  for (const { agentId, ...request } of await quietImports(em, workspaceId, QUIET_SECONDS)) {
    if (await temporal.isOver(importWorkflowId(request.importId, request.attempt))) {
      await finishImport(em, request, { status: 'failed', reason: ENDED_WITHOUT_A_WORD });
      continue;
    }
    quiet.set(agentId, [...(quiet.get(agentId) ?? []), request]);
  }
  let coordinators = 0;
  const agents = pagesOf((afterId) => agentsToCoordinate(em, workspaceId, afterId, BATCH), {
    idOf: ({ agentId }) => agentId,
    size: BATCH,
  });
  await each(agents, async (agent) => {
    const coordinator = coordinatorOf(agent, polling);
    await temporal.deliver(isFirst ? pollEveryEntry(coordinator) : coordinatorEntry(coordinator));
    // A coordinator that knows when its calls may be analysed is asked in vain; one that lost it is told within the hour.
    if (agent.waits) await temporal.deliver(analyseEntry(coordinator, { messageId: `waiting/${hourNow()}` }));
    for (const request of quiet.get(agent.agentId) ?? []) await temporal.deliver(importEntry(coordinator, request));
    coordinators += 1;
  });
  return coordinators;
}
