import { openOutboxEntries } from '../../db/system/outbox.ts';
import { processesAlive } from '../../db/system/processes.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';
import { readStanding, type Standing } from '../../db/workspaces/read-standing.ts';
import type { QueueStanding } from '../../temporal/client.ts';
import type { Services } from '../services.ts';

/** How the whole installation stands, over all workspaces: for the operator, never for a member. */
export interface Installation extends Standing {
  workspaces: number;
  workers: number;
  apis: number;
  orders: { count: number; oldestSeconds: number };
  /** Null while Temporal does not answer. */
  queues: QueueStanding[] | null;
}

/** Reads workspace by workspace, each in its own scope, so it costs more the more there are: ask a few times a minute. */
export async function readInstallation({ database, queues }: Services): Promise<Installation> {
  const system = database.unscoped();
  const ids = await listWorkspaceIds(system);
  let all: Standing = NOTHING;
  for (const id of ids) all = add(all, await readStanding(database.within(id), id));
  return {
    ...all,
    workspaces: ids.length,
    workers: (await processesAlive(system, 'worker')).length,
    apis: (await processesAlive(system, 'api')).length,
    orders: (await openOutboxEntries(system)) ?? { count: 0, oldestSeconds: 0 },
    queues: await queues(),
  };
}

const NOTHING: Standing = {
  followedAgents: 0,
  importLagSeconds: null,
  waitingCalls: 0,
  analysisLagSeconds: null,
  failedCalls: 0,
  openImports: { queued: 0, running: 0, paused: 0 },
  waitingImports: 0,
};

function add(a: Standing, b: Standing): Standing {
  return {
    followedAgents: a.followedAgents + b.followedAgents,
    importLagSeconds: longest(a.importLagSeconds, b.importLagSeconds),
    waitingCalls: a.waitingCalls + b.waitingCalls,
    analysisLagSeconds: longest(a.analysisLagSeconds, b.analysisLagSeconds),
    failedCalls: a.failedCalls + b.failedCalls,
    openImports: {
      queued: a.openImports.queued + b.openImports.queued,
      running: a.openImports.running + b.openImports.running,
      paused: a.openImports.paused + b.openImports.paused,
    },
    waitingImports: a.waitingImports + b.waitingImports,
  };
}

const longest = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b));
