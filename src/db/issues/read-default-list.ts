import { sql } from 'kysely';
import type { BoardRow } from '../../domain/signals/reanalysis-report.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** The default list of the agent, in its order. */
export async function readDefaultList(em: EntityManager, agentId: string): Promise<BoardRow[]> {
  const { rows } = await sql<BoardRow>`
    select i.key, i.title, i.section, i.volume as calls from issues i join agents a on a.id = i.agent_id
    where i.agent_id = ${agentId} and i.section <> 'hidden' and i.withdrawn_at is null and i.status <> 'resolved'
      and i.source = a.board_source and i.klass <> 'behaviour'
    order by (i.section = 'not_established'), i.fell_on_live, i.order_key desc, i.id
  `.execute(db(em));
  return rows;
}
