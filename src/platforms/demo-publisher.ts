import { isJsonObject, type JsonObject } from '../domain/json.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { numberOf } from './lenient.ts';
import { createPlatformClient } from './platform-client.ts';
import type { PlatformConnection } from './platform-connection.ts';
import { PlatformError } from './port.ts';

/** What only the demo platform can be asked for. */
export interface DemoPublisher {
  /** Publishes another version of an agent, with calls on it; the same request publishes one. @throws PlatformError */
  publishNext(
    connection: PlatformConnection,
    request: { providerAgentId: string; requestId: string },
  ): Promise<{ version: number }>;
  /** Publishes a version that says what the engine says; the same request publishes one. @throws PlatformError */
  publishEngine(
    connection: PlatformConnection,
    request: { providerAgentId: string; requestId: string; baseVersion: number; engine: JsonObject },
  ): Promise<{ version: number }>;
}

export function createDemoPublisher(outbound: Outbound): DemoPublisher {
  const client = createPlatformClient(outbound, 'The demo platform');
  async function publish(connection: PlatformConnection, path: string, json: JsonObject): Promise<{ version: number }> {
    const doing = 'publishing another version';
    const answer = await client.send(connection, { method: 'POST', path, json, doing });
    const version = isJsonObject(answer) ? numberOf(answer.version) : null;
    if (version === null) throw new PlatformError('bad_answer', 'The demo platform did not say which version is new.');
    return { version };
  }

  return {
    publishNext: (connection, { providerAgentId, requestId }) =>
      publish(connection, `/demo/next-version/${encodeURIComponent(providerAgentId)}`, { request_id: requestId }),
    publishEngine: (connection, { providerAgentId, requestId, baseVersion, engine }) =>
      publish(connection, `/demo/publish/${encodeURIComponent(providerAgentId)}`, {
        request_id: requestId,
        base_version: baseVersion,
        engine,
      }),
  };
}
