import type { Database } from '../../db/database.ts';
import { agentsWithDesk } from '../../db/queries/agent-source.ts';
import { quietImports } from '../../db/queries/imports.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';
import { AGENT_DESK, analyseOrder, deskId, importOrder, pollEveryOrder } from '../../durable/desk.ts';
import type { Order } from '../../durable/orders.ts';
import type { TemporalGateway } from '../temporal.ts';
import { deskOfAgent } from './desk-of-agent.ts';

const BATCH = 100;
/** A running import writes its row at least this often while it works; a waiting or paused one is asked once more, in vain. */
const QUIET_SECONDS = 120;

export interface OpenDesksDeps {
  database: Database;
  temporal: TemporalGateway;
  polling: { polls: boolean; pollSeconds: number };
}

const hourNow = () => new Date().toISOString().slice(0, 13);

/**
 * Starts the desks that are missing and hands them imports that nobody seems to work on. With a Temporal server that
 * lost its data this brings everything back from PostgreSQL; with a sound one it changes nothing, because ids are made
 * of the rows' and a desk drops a request that it knows. The first time of a process, open desks are told how often to
 * poll, as its settings may be others than those that they were opened under.
 */
export async function openDesks(deps: OpenDesksDeps, isFirst = false): Promise<{ desks: number }> {
  let desks = 0;
  for (const workspaceId of await listWorkspaceIds(deps.database.unscoped())) {
    desks += await openDesksOf(deps, workspaceId, isFirst);
  }
  return { desks };
}

async function openDesksOf(
  { database, temporal, polling }: OpenDesksDeps,
  workspaceId: string,
  isFirst: boolean,
): Promise<number> {
  const em = database.within(workspaceId);
  const quiet = new Map<string, { importId: string; attempt: number }[]>();
  for (const { agentId, ...request } of await quietImports(em, workspaceId, QUIET_SECONDS)) {
    quiet.set(agentId, [...(quiet.get(agentId) ?? []), request]);
  }
  let desks = 0;
  for (let afterId: string | null = null; ; ) {
    const agents = await agentsWithDesk(em, workspaceId, afterId, BATCH);
    for (const agent of agents) {
      const desk = deskOfAgent(agent, polling);
      const start: Order = {
        workflow: AGENT_DESK,
        workflowId: deskId(agent.agentId),
        action: 'start',
        startArgs: [desk],
        signalArgs: [],
      };
      await temporal.deliver(isFirst ? pollEveryOrder(desk) : start);
      // A desk that knows when its calls may be analysed is asked in vain; one that lost it is told within the hour.
      if (agent.waits) await temporal.deliver(analyseOrder(desk, { messageId: `waiting/${hourNow()}` }));
      for (const request of quiet.get(agent.agentId) ?? []) await temporal.deliver(importOrder(desk, request));
      desks += 1;
    }
    if (agents.length < BATCH) return desks;
    afterId = agents.at(-1)?.agentId ?? null;
  }
}
