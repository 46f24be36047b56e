import { sql } from 'kysely';
import type { JsonObject } from '../../domain/json.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { announce } from '../webhooks/announce.ts';

/** An import that has waited for its platform for so long, without getting any further, needs somebody's eyes. */
const STUCK_AFTER_MINUTES = 15;

interface StuckImport {
  importId: string;
  agentId: string;
  attempt: number;
  since: string;
  at: string;
  data: JsonObject;
}

/** Tells the webhooks and channels of a workspace of its imports that stand still, each wait once. */
export async function tellStuckImports(em: EntityManager, workspaceId: string): Promise<void> {
  const { rows } = await sql<StuckImport>`
    select i.id as import_id, i.agent_id, i.attempt, i.stuck_since::text as since,
      now() as at,
      jsonb_build_object('importId', i.id, 'agentId', a.id, 'agentName', a.name, 'kind', i.kind,
        'since', to_char(i.stuck_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'waitsFor', i.waits_for, 'stored', i.stored, 'failed', i.failed) as data
    from imports i join agents a on a.id = i.agent_id
    where i.workspace_id = ${workspaceId} and i.status in ('queued', 'running', 'paused')
      and i.stuck_since < now() - ${STUCK_AFTER_MINUTES} * interval '1 minute'
  `.execute(db(em));
  for (const { importId, agentId, attempt, since, at, data } of rows) {
    const eventKey = `import:${importId}/${attempt}/${since}`;
    await em.transactional((tx) => announce(tx, agentId, [{ event: 'import.stuck', eventKey, at, data }]));
  }
}
