import type { EntityManager } from '../../db/database.ts';
import {
  agentsOfWorkspace,
  eraseAgentItself,
  eraseRowsOfAgent,
  eraseRowsOfWorkspace,
  forgetSelections,
  hideAgents,
} from '../../db/erasures/erase-owner.ts';
import { forgetAnswers, forgetMessages } from '../../db/erasures/erase-records.ts';
import {
  advanceErasure,
  type ErasureView,
  findErasureOf,
  insertErasure,
  moveErasure,
  reopenErasures,
} from '../../db/erasures/erasures.ts';
import { RemovedRows } from '../../db/erasures/removed.ts';
import { eraseWorkspaceItself, shutAgent, shutWorkspace } from '../../db/system/shut.ts';
import { erasureEntry } from '../../temporal/erase-data.ts';
import { addToOutbox } from '../outbox/add-to-outbox.ts';

/** An agent, or a workspace with all its agents, that is erased whole. */
export interface ErasedOwner {
  workspaceId: string;
  /** Null: the whole workspace. */
  agentId: string | null;
  erasureId: string;
}

/** Takes it out of everybody's reach at once, and has the rest erased. */
export async function beginErasure(
  em: EntityManager,
  { workspaceId, agentId, requestedBy }: Omit<ErasedOwner, 'erasureId'> & { requestedBy: string },
): Promise<ErasureView> {
  const total = await hideAgents(em, { workspaceId, agentId });
  if (agentId === null) await shutWorkspace(em, workspaceId);
  else await shutAgent(em, agentId);
  const scope = agentId === null ? 'workspace' : 'agent';
  const erased = { workspaceId, agentId, scope, total, requestedBy } as const;
  const reason = agentId === null ? 'The workspace was deleted.' : 'The agent was deleted.';
  const row = await insertErasure(em, { ...erased, callIds: [], callerKey: null, sealedNumber: null, reason });
  const entry = erasureEntry({ erasureId: row.id, workspaceId, agentId, isWhole: true });
  await addToOutbox(em, { entry, workspaceId, agentId });
  return row;
}

/** Erases all rows. Broken off, it goes on with those that are left. */
export async function eraseOwner(em: EntityManager, owner: ErasedOwner): Promise<{ done: number; total: number }> {
  const { workspaceId, erasureId } = owner;
  await moveErasure(em, erasureId, ['queued'], 'running');
  for (const agentId of await agentsOf(em, owner)) await eraseAgent(em, { ...owner, agentId });
  if (owner.agentId === null) {
    await eraseRowsOfWorkspace(em, owner);
    await eraseWorkspaceItself(em, workspaceId);
  }
  const { done = 0, total = 0 } = (await findErasureOf(em, workspaceId, erasureId)) ?? {};
  return { done, total };
}

/** Has erasures go on of which nothing was heard for a while: whoever is out of reach can not be asked for again. */
export async function resumeErasures(em: EntityManager, workspaceId: string): Promise<void> {
  await em.transactional(async (tx) => {
    for (const { id: erasureId, agentId } of await reopenErasures(tx, workspaceId)) {
      const entry = erasureEntry({ erasureId, workspaceId, agentId, isWhole: true });
      await addToOutbox(tx, { entry, workspaceId, agentId });
    }
  });
}

/** The agents that an erasure takes with it. */
export const agentsOf = async (em: EntityManager, { workspaceId, agentId }: ErasedOwner): Promise<string[]> =>
  agentId === null ? agentsOfWorkspace(em, workspaceId) : [agentId];

async function eraseAgent(em: EntityManager, owner: ErasedOwner & { agentId: string }): Promise<void> {
  const { workspaceId, agentId, erasureId } = owner;
  await em.transactional(async (tx) => {
    const removed = new RemovedRows();
    await forgetMessages(tx, agentId, null, removed);
    // Those to starts and writes need not name the agent.
    await forgetAnswers(tx, workspaceId, null, removed);
    await forgetSelections(tx, agentId);
    await advanceErasure(tx, erasureId, 0, removed.byTable);
  });
  await eraseRowsOfAgent(em, owner);
  await eraseAgentItself(em, owner);
  // What was being written while the agent was still there.
  await eraseRowsOfAgent(em, owner);
}
