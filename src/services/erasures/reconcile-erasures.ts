import type { Database } from '../../db/database.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';
import { resumeErasures } from './erase-owner.ts';

/** Has deletions of agents and workspaces go on that failed, or whose workflow was ended from outside. */
export async function reconcileErasures(database: Database): Promise<void> {
  for (const workspaceId of await listWorkspaceIds(database.unscoped())) {
    await resumeErasures(database.within(workspaceId), workspaceId);
  }
}
