import { CATALOGUE } from '../../src/domain/signals/catalogue.ts';
import { walkAgents } from '../../src/services/retention/walk-agents.ts';
import type { RetentionCursor, RetentionStep } from '../../src/temporal/keep-retention.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

/** Removes what is kept no longer, until there is something to tell. What an attempt before has removed is gone. */
export function createRemoveExpired({ database, vault }: ActivityDeps) {
  return async function removeExpired({ after }: { after: RetentionCursor | null }): Promise<RetentionStep> {
    return withHeartbeat(
      () => after,
      () => walkAgents(database, { vault, catalogue: CATALOGUE }, after),
    );
  };
}
