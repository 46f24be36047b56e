import type { EntityManager } from '../../db/database.ts';
import { forgetOldAnswers } from '../../db/queries/idempotency.ts';
import { forgetFullBuckets } from '../../db/queries/limits.ts';

/** Drops what no request needs any more: buckets that are full again, and answers older than their day. */
export async function sweepAccess(em: EntityManager): Promise<void> {
  await forgetFullBuckets(em);
  await forgetOldAnswers(em);
}
