import type { AgentView } from '../../db/agents/read-agents.ts';
import { markImporting } from '../../db/agents/write-agents.ts';
import type { EntityManager } from '../../db/database.ts';
import { coordinatorOf } from '../../services/agents/coordinator-input.ts';
import { openPoller } from '../../services/agents/open-poller.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { importEntry } from '../../temporal/agent-coordinator.ts';
import type { ImportRequestKey } from '../../temporal/import-calls.ts';
import type { Services } from '../services.ts';

/** Asks the agent's coordinator to run an import, in the transaction that wrote the import's row. */
export async function orderImport(
  em: EntityManager,
  services: Services,
  agent: AgentView,
  request: ImportRequestKey,
): Promise<void> {
  const { id: agentId, workspaceId, name, provider } = agent;
  await markImporting(em, agentId);
  const coordinator = coordinatorOf({ agentId, workspaceId, name, provider }, services.polling);
  await addToOutbox(em, { entry: importEntry(coordinator, request), workspaceId, agentId });
  await openPoller(em, agentId, services.polling);
}
