import type { EntityManager } from '../../src/db/database.ts';
import type { PolledAgent, RefusedFirst } from '../../src/db/imports/account-polls.ts';
import { finishImport, reopenImport } from '../../src/db/imports/imports.ts';
import { takePollImport } from '../../src/db/imports/polls.ts';
import { coordinatorOf } from '../../src/services/agents/coordinator-input.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { importEntry, pollEntry } from '../../src/temporal/agent-coordinator.ts';

type Polled = Pick<PolledAgent, 'agentId' | 'workspaceId' | 'name' | 'provider'>;

/** Has the agent's coordinator run the poll as an import, which does the work, its waiting and its words. */
export async function orderPoll(em: EntityManager, agent: Polled): Promise<void> {
  await em.transactional(async (tx) => {
    const request = await takePollImport(tx, agent.agentId);
    if (request === null) return;
    await addToOutbox(tx, { entry: importEntry(coordinatorOf(agent), request), ...agent });
  });
}

/** Opens a first import that the platform refused for another try. */
export async function orderFirstAgain(em: EntityManager, { importId, ...agent }: RefusedFirst): Promise<void> {
  await em.transactional(async (tx) => {
    const request = await reopenImport(tx, agent.agentId, importId);
    if (request !== null) await addToOutbox(tx, { entry: importEntry(coordinatorOf(agent), request), ...agent });
  });
}

/** Has the agent's coordinator look by itself. */
export async function orderLook(em: EntityManager, agent: PolledAgent): Promise<void> {
  const entry = pollEntry(coordinatorOf(agent), { messageId: `account/${agent.nowAt}` });
  await addToOutbox(em, { entry, ...agent });
}

/** A poll that nothing can come of before a person has fixed what it says. */
export async function failPoll(em: EntityManager, agent: PolledAgent, reason: string): Promise<void> {
  await em.transactional(async (tx) => {
    const request = await takePollImport(tx, agent.agentId);
    if (request !== null) await finishImport(tx, request, { status: 'failed', reason });
  });
}
