import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** Removes what was uploaded for an import that will not be. */
export async function dropUpload(em: EntityManager, importId: string): Promise<void> {
  await db(em).deleteFrom('uploaded_records').where('importId', '=', importId).execute();
}

/** Removes uploads from before a time (as an id of that time) that never became an import: their process ended midway. */
export async function dropAbandonedUploads(em: EntityManager, beforeId: string): Promise<void> {
  await db(em)
    .deleteFrom('uploaded_records')
    .where('importId', '<', beforeId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('imports').whereRef('imports.id', '=', 'uploaded_records.importId').select('imports.id'))),
    )
    .execute();
}

/** 0 where nothing was uploaded yet. */
export async function lastUploadedLine(em: EntityManager, importId: string): Promise<number> {
  const { line } = await db(em)
    .selectFrom('uploaded_records')
    .where('importId', '=', importId)
    .select((eb) => eb.fn.max('line').as('line'))
    .executeTakeFirstOrThrow();
  return line ?? 0;
}
