import { loadAgentSource } from '../../db/agents/agent-source.ts';
import type { EntityManager } from '../../db/database.ts';
import { sendsCalls } from '../../domain/vocabulary.ts';
import { pollerEntry } from '../../temporal/account-poller.ts';
import { addToOutbox } from '../outbox/add-to-outbox.ts';
import { pollerOf } from './poller-input.ts';

/** Has the poller of the agent's account opened where it is missing, in the transaction that gives it something to poll. */
export async function openPoller(
  em: EntityManager,
  agentId: string,
  polling: { polls: boolean; pollSeconds: number },
): Promise<void> {
  const source = polling.polls ? await loadAgentSource(em, agentId) : null;
  if (source === null || source.connectionId === null || sendsCalls(source.provider)) return;
  const { workspaceId, connectionId, provider: platform } = source;
  const entry = pollerEntry(pollerOf({ workspaceId, connectionId, platform }, polling));
  await addToOutbox(em, { entry, workspaceId, agentId });
}
