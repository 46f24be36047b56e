import { type Models, NO_MODELS } from '../../src/models/registry.ts';
import type { Mailer } from '../../src/outbound/mailer.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { openRecordings } from '../../src/platforms/recordings.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { createListener } from '../../src/sound/hear.ts';
import { openNamespace, SHORT_PATIENCE, startWorkers, type TestTemporal } from './pipeline.ts';
import { testAnalyser } from './test-analyser.ts';
import { createWorld, type World } from './world.ts';

/** The API over a database of its own, and the product's workers, which reach stand-ins on this machine. */
export interface WorkedWorld {
  world: World;
  temporal: TestTemporal;
  close(): Promise<void>;
}

export async function startWorkedWorld(
  temporalAddress: string | null,
  demoUrl: string | null = null,
  mailer: Mailer | null = null,
  models: Models = NO_MODELS,
): Promise<WorkedWorld> {
  const [temporal, world] = await Promise.all([openNamespace(temporalAddress ?? ''), createWorld()]);
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
  const recordings = openRecordings({ outboundAllow: ['127.0.0.0/8'], demoUrl });
  const listener = createListener();
  const stopWorkers = await startWorkers(
    {
      database: world.database,
      vault: world.services.vault,
      platforms: createPlatforms({ outbound, demoUrl }),
      analyser: testAnalyser(),
      models,
      recordings,
      listener,
      receivers: outbound,
      mailer,
      // As the API of the world has them at the moment.
      get mailDomains() {
        return world.services.mailDomains;
      },
      publicUrl: 'https://earshot.example.com',
      isNamed: true,
      conversationSlots: 4,
      storageMib: null,
      requestsASecond: null,
      patience: SHORT_PATIENCE,
    },
    temporal,
  );
  return {
    world,
    temporal,
    async close() {
      await stopWorkers();
      await Promise.all([outbound.close(), recordings.close(), listener.close()]);
      await world.close();
      await temporal.close();
    },
  };
}
