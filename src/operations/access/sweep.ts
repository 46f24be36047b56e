import type { Database } from '../../db/database.ts';
import { forgetOldAnswers } from '../../db/limits/idempotency.ts';
import { forgetFullBuckets } from '../../db/system/limits.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';

/** Drops what no request needs any more: buckets that are full again, and answers older than their day. */
export async function sweepAccess(database: Database): Promise<void> {
  const em = database.unscoped();
  await forgetFullBuckets(em);
  // Those of nobody, who signs in; then each workspace's own.
  await forgetOldAnswers(em);
  for (const workspaceId of await listWorkspaceIds(em)) await forgetOldAnswers(database.within(workspaceId));
}
