import { isJsonObject } from '../domain/json.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { numberOf } from './lenient.ts';
import { createPlatformClient } from './platform-client.ts';
import { type PlatformConnection, PlatformError } from './port.ts';

/** What only the demo platform can be asked for. */
export interface DemoPublisher {
  /** Publishes another version of an agent, with calls on it; the same request publishes one. @throws PlatformError */
  publishNext(
    connection: PlatformConnection,
    request: { providerAgentId: string; requestId: string },
  ): Promise<{ version: number }>;
}

export function createDemoPublisher(outbound: Outbound): DemoPublisher {
  const client = createPlatformClient(outbound, 'The demo platform');
  return {
    async publishNext(connection, { providerAgentId, requestId }) {
      const answer = await client.send(connection, {
        method: 'POST',
        path: `/demo/next-version/${encodeURIComponent(providerAgentId)}`,
        json: { request_id: requestId },
        doing: 'publishing another version',
      });
      const version = isJsonObject(answer) ? numberOf(answer.version) : null;
      if (version === null)
        throw new PlatformError('bad_answer', 'The demo platform did not say which version is new.');
      return { version };
    },
  };
}
