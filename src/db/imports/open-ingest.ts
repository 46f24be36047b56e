import type { ImportRequestKey } from '../../temporal/import-calls.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { createImport } from './imports.ts';
import { lastUploadedLine } from './uploads.ts';

/** As many as a person may upload at once. */
const RECORDS_MAX = 1000;

/**
 * The import that waits to take what an agent sends, with the last of its lines; a new one where none waits or the
 * waiting one is full. `isNew`: somebody must order it.
 */
export async function openIngest(
  em: EntityManager,
  owner: { workspaceId: string; agentId: string },
  records: number,
): Promise<ImportRequestKey & { afterLine: number; isNew: boolean }> {
  const waiting = await db(em)
    .selectFrom('imports')
    .where('agentId', '=', owner.agentId)
    .where('kind', '=', 'ingest')
    .where('status', '=', 'queued')
    .where('attempt', '=', 1)
    .select('id')
    .orderBy('createdAt')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  const afterLine = waiting ? await lastUploadedLine(em, waiting.id) : 0;
  if (waiting && afterLine + records <= RECORDS_MAX) {
    return { importId: waiting.id, attempt: 1, afterLine, isNew: false };
  }
  const made = await createImport(em, { ...owner, kind: 'ingest', limit: null, from: null });
  return { ...made, afterLine: 0, isNew: true };
}
