import type { AgentView } from '../../db/agents/read-agents.ts';
import type { EntityManager } from '../../db/database.ts';
import { readAgentRetention, setAgentRetention } from '../../db/retention/agents.ts';
import { readWorkspaceRetention } from '../../db/system/retention.ts';
import { changeRetention, type RetentionChange, retentionInForce } from '../../domain/retention/retention.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { retentionEntry } from '../../temporal/keep-retention.ts';

type Owned = Pick<AgentView, 'id' | 'workspaceId'>;

/** How long the agent's calls are kept, and who said so. */
export async function presentRetention(em: EntityManager, { id, workspaceId }: Owned) {
  const own = await readAgentRetention(em, id);
  const from = (name: keyof typeof own) => (own[name] === undefined ? ('workspace' as const) : ('agent' as const));
  return {
    retention: retentionInForce(await readWorkspaceRetention(em, workspaceId), own),
    retentionFrom: {
      payloadDays: from('payloadDays'),
      transcriptDays: from('transcriptDays'),
      callDays: from('callDays'),
    },
  };
}

/** Changes it, and has what is due by then removed at once. */
export async function changeAgentRetention(
  em: EntityManager,
  { id, workspaceId }: Owned,
  change: RetentionChange,
): Promise<void> {
  await setAgentRetention(em, id, changeRetention(await readAgentRetention(em, id), change));
  await addToOutbox(em, { entry: retentionEntry(), workspaceId, agentId: id });
}
