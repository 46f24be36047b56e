import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId, holdsAny } from '../expressions.ts';
import type { RemovedRows } from './removed.ts';

/** Removes whole conversations that name one of these calls or tests: what one answer quotes the next ones may repeat. */
export async function eraseConversations(
  em: EntityManager,
  agentId: string,
  ids: readonly string[],
  removed: RemovedRows,
): Promise<void> {
  const rows = await db(em)
    .selectFrom('copilot_messages')
    .where('agentId', '=', agentId)
    .where((eb) => holdsAny(eb('text', '||', eb.cast<string>('citations', 'text')), ids))
    .select('conversationId')
    .union((eb) =>
      eb
        .selectFrom('copilot_cards')
        .where('agentId', '=', agentId)
        .where((eb) => holdsAny(eb('summary', '||', eb.cast<string>('input', 'text')), ids))
        .select('conversationId'),
    )
    .execute();
  const conversations = anyId(rows.map(({ conversationId }) => conversationId));
  for (const table of ['copilot_events', 'copilot_cards', 'copilot_messages'] as const) {
    const gone = await db(em).deleteFrom(table).where('conversationId', '=', conversations).executeTakeFirst();
    removed.add(table, gone.numDeletedRows);
  }
  const gone = await db(em).deleteFrom('copilot_conversations').where('id', '=', conversations).executeTakeFirst();
  removed.add('copilot_conversations', gone.numDeletedRows);
}
