import type { AgentBriefResource } from '../../contract/brief.ts';
import { beginBrief, findBrief } from '../../db/agents/briefs.ts';
import type { AgentView } from '../../db/agents/read-agents.ts';
import type { EntityManager } from '../../db/database.ts';
import type { SetupStatus } from '../../domain/vocabulary.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { briefReadEntry } from '../../temporal/read-brief.ts';

export async function presentBrief(
  em: EntityManager,
  agentId: string,
  setupStatus: SetupStatus,
): Promise<AgentBriefResource> {
  return { object: 'brief', setupStatus, ...(await findBrief(em, agentId)) };
}

/** Has a worker read the agent's configuration and draft the brief from it. */
export async function orderBrief(
  em: EntityManager,
  agent: Pick<AgentView, 'id' | 'workspaceId' | 'name'>,
): Promise<void> {
  const { id: agentId, workspaceId, name: agentName } = agent;
  const read = await beginBrief(em, agentId);
  await addToOutbox(em, { entry: briefReadEntry({ workspaceId, agentId, agentName, read }), workspaceId, agentId });
}
