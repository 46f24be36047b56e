import { type DeskInput, pollOrder } from '../src/durable/desk.ts';
import { writeOrder } from '../src/operations/orders/write-order.ts';
import { PlatformError } from '../src/platforms/port.ts';
import { openAgentPlatform } from './agent-platform.ts';
import type { ActivityDeps } from './deps.ts';
import { whileBeating } from './heart.ts';

/** Publishes another version at the demo platform and has the desk poll. A second run publishes and polls nothing more. */
export function createPublishDemoVersion(deps: ActivityDeps) {
  return async function publishDemoVersion(request: {
    desk: DeskInput;
    requestId: string;
  }): Promise<{ version: number }> {
    const { desk, requestId } = request;
    const { agentId, workspaceId } = desk;
    return whileBeating(
      () => ({}),
      async () => {
        const em = deps.database.within(workspaceId);
        const { source, connection } = await openAgentPlatform(deps, em, agentId);
        if (source.provider !== 'demo') throw new PlatformError('rejected', 'Only agents of the demo get versions so.');
        const { providerAgentId } = source;
        const published = await deps.platforms.demo.publishNext(connection, { providerAgentId, requestId });
        const order = pollOrder(desk, { messageId: `demo-version/${requestId}` });
        await writeOrder(em, { order, workspaceId, agentId });
        return published;
      },
    );
  };
}
