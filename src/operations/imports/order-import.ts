import type { EntityManager } from '../../db/database.ts';
import type { AgentView } from '../../db/queries/read-agents.ts';
import { markImporting } from '../../db/queries/write-agents.ts';
import { importOrder } from '../../durable/desk.ts';
import type { ImportRequestKey } from '../../durable/import.ts';
import { deskOfAgent } from '../orders/desk-of-agent.ts';
import { writeOrder } from '../orders/write-order.ts';
import type { Services } from '../services.ts';

/** Asks the agent's desk to run an import, in the transaction that wrote the import's row. */
export async function orderImport(
  em: EntityManager,
  services: Services,
  agent: AgentView,
  request: ImportRequestKey,
): Promise<void> {
  const { id: agentId, workspaceId, name, provider } = agent;
  await markImporting(em, agentId);
  const desk = deskOfAgent({ agentId, workspaceId, name, provider }, services.polling);
  await writeOrder(em, { order: importOrder(desk, request), workspaceId, agentId });
}
