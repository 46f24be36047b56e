import { isJsonObject } from '../domain/json.ts';
import type { DemoPublisher } from './demo-publisher.ts';
import type { PlatformClient } from './platform-client.ts';
import type { TextPublisher } from './publisher.ts';
import { putRetellTexts } from './retell/put-texts.ts';
import { readRetellEngine } from './retell/read-engine.ts';

/** At the demo platform one request publishes one version, however often it comes. */
export function createDemoTextPublisher(client: PlatformClient, demo: DemoPublisher): TextPublisher {
  return {
    async publish(connection, { providerAgentId, requestId, baseVersion, texts }) {
      const { body } = await readRetellEngine(client, connection, { providerAgentId, version: baseVersion });
      const engine = putRetellTexts(isJsonObject(body) ? body : {}, texts);
      await demo.publishEngine(connection, { providerAgentId, requestId, baseVersion, engine });
    },
    async abandon() {},
  };
}
