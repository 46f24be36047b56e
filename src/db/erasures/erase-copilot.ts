import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId } from '../expressions.ts';
import type { RemovedRows } from './removed.ts';

/** Removes whole conversations that name one of these calls or tests: what one answer quotes the next ones may repeat. */
export async function eraseConversations(
  em: EntityManager,
  agentId: string,
  ids: readonly string[],
  removed: RemovedRows,
): Promise<void> {
  const names = (text: ReturnType<typeof sql>) => sql`
    exists (select from unnest(${[...ids]}::text[]) named(id) where strpos(${text}, named.id) > 0)`;
  const { rows } = await sql<{ id: string }>`
    select conversation_id as id from copilot_messages
    where agent_id = ${agentId} and ${names(sql`(text || citations::text)`)}
    union select conversation_id from copilot_cards
    where agent_id = ${agentId} and ${names(sql`(summary || input::text)`)}`.execute(db(em));
  const conversations = anyId(rows.map(({ id }) => id));
  for (const table of ['copilot_events', 'copilot_cards', 'copilot_messages'] as const) {
    const gone = await db(em).deleteFrom(table).where('conversationId', '=', conversations).executeTakeFirst();
    removed.add(table, gone.numDeletedRows);
  }
  const gone = await db(em).deleteFrom('copilot_conversations').where('id', '=', conversations).executeTakeFirst();
  removed.add('copilot_conversations', gone.numDeletedRows);
}
