import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { Row } from '../tables.ts';

/** One text of a draft; null where the draft is gone. */
export async function loadRevision(
  em: EntityManager,
  { draftId, revision }: { draftId: string; revision: number },
): Promise<Row<'draft_revisions'> | null> {
  const row = db(em).selectFrom('draft_revisions').where('draftId', '=', draftId).where('revision', '=', revision);
  return (await row.selectAll().executeTakeFirst()) ?? null;
}
