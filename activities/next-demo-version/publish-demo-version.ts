import { PlatformError } from '../../src/platforms/port.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { type CoordinatorInput, pollEntry } from '../../src/temporal/agent-coordinator.ts';
import type { ActivityDeps } from '../deps.ts';
import { openAgentPlatform } from '../shared/agent-platform.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

/** Publishes another version at the demo platform and has the coordinator poll. A second run publishes and polls nothing more. */
export function createPublishDemoVersion(deps: ActivityDeps) {
  return async function publishDemoVersion(request: {
    desk: CoordinatorInput;
    requestId: string;
  }): Promise<{ version: number }> {
    const { desk, requestId } = request;
    const { agentId, workspaceId } = desk;
    return withHeartbeat(
      () => ({}),
      async () => {
        const em = deps.database.within(workspaceId);
        const { source, connection } = await openAgentPlatform(deps, em, agentId);
        if (source.provider !== 'demo') throw new PlatformError('rejected', 'Only agents of the demo get versions so.');
        const { providerAgentId } = source;
        const published = await deps.platforms.demo.publishNext(connection, { providerAgentId, requestId });
        const entry = pollEntry(desk, { messageId: `demo-version/${requestId}` });
        await addToOutbox(em, { entry, workspaceId, agentId });
        return published;
      },
    );
  };
}
