import type { Database } from '../../db/database.ts';
import { eachWorkspace } from '../outbox/each.ts';
import { resumeErasures } from './erase-owner.ts';

/** Has deletions of agents and workspaces go on that failed, or whose workflow was ended from outside. */
export const reconcileErasures = (database: Database): Promise<void> => eachWorkspace(database, resumeErasures);
