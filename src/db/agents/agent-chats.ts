import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { now } from '../expressions.ts';

/** The chat address of an agent that sends its calls; its key is still sealed. */
export interface AgentChat {
  url: string;
  model: string | null;
  sealedKey: string | null;
}

export async function findAgentChat(em: EntityManager, agentId: string): Promise<AgentChat | null> {
  const row = await db(em)
    .selectFrom('agents')
    .where('id', '=', agentId)
    .select(['chatUrl as url', 'chatModel as model', 'sealedChatKey as sealedKey'])
    .executeTakeFirst();
  return row && row.url !== null ? { ...row, url: row.url } : null;
}

/** Null takes it away. */
export async function setAgentChat(em: EntityManager, agentId: string, chat: AgentChat | null): Promise<void> {
  await db(em)
    .updateTable('agents')
    .where('id', '=', agentId)
    .set({
      chatUrl: chat?.url ?? null,
      chatModel: chat?.model ?? null,
      sealedChatKey: chat?.sealedKey ?? null,
      updatedAt: now,
    })
    .execute();
}
