import { lookAtAlarms } from '../../src/services/alarms/look-at-alarms.ts';
import type { AlarmsInput, AlarmsLook } from '../../src/temporal/alarms.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

/** Looks at the alarms of an agent that are due, and tells of them. Safe to repeat. */
export function createLookAtAlarms({ database }: Pick<ActivityDeps, 'database'>) {
  return ({ workspaceId, agentId }: AlarmsInput): Promise<AlarmsLook> =>
    withHeartbeat(
      () => ({}),
      () => lookAtAlarms(database.within(workspaceId), agentId),
    );
}
