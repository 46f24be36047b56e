import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';

/** Removes what was uploaded for an import that will not be. */
export async function dropUpload(em: EntityManager, importId: string): Promise<void> {
  await sql`delete from uploaded_records where import_id = ${importId}`.execute(em.getKysely());
}

/** Removes uploads from before a time (as an id of that time) that never became an import: their process ended midway. */
export async function dropAbandonedUploads(em: EntityManager, beforeId: string): Promise<void> {
  await sql`
    delete from uploaded_records where import_id < ${beforeId}::uuid
      and not exists (select 1 from imports where imports.id = uploaded_records.import_id)
  `.execute(em.getKysely());
}
