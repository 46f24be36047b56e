import type { Database } from '../../db/database.ts';
import { forgetOldAnswers } from '../../db/limits/idempotency.ts';
import { forgetFullBuckets } from '../../db/system/limits.ts';
import { dropEndedSignIns } from '../../db/system/sessions.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';

/** Drops what no request needs any more: answers older than their day, and sign-ins that ended. */
export async function sweepAccess(database: Database): Promise<void> {
  const em = database.unscoped();
  await dropEndedSignIns(em);
  // Those of nobody, who signs in; then each workspace's own.
  await forgetOldAnswers(em);
  for (const workspaceId of await listWorkspaceIds(em)) await forgetOldAnswers(database.within(workspaceId));
}

/** Buckets that are full again: strangers make as many as they have addresses, so this is done often. */
export const sweepBuckets = (database: Database): Promise<void> => forgetFullBuckets(database.unscoped());
