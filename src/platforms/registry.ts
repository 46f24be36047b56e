import { type Platform, type SendingPlatform, sendsCalls } from '../domain/vocabulary.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { createChatSimulation } from './chat/simulation.ts';
import type { AgentCopies } from './copies.ts';
import { createDemoPublisher, type DemoPublisher } from './demo-publisher.ts';
import { createDemoTextPublisher } from './demo-text-publisher.ts';
import { createElevenLabsAdapter, elevenLabsClient } from './elevenlabs/adapter.ts';
import { createElevenLabsPublisher } from './elevenlabs/publisher.ts';
import { createFileReader } from './file/reader.ts';
import { createPlatformClient } from './platform-client.ts';
import type { PlatformAdapter, RecordReader } from './port.ts';
import type { TextPublisher } from './publisher.ts';
import { createRetellAdapter } from './retell/adapter.ts';
import { createRetellCopies } from './retell/copies.ts';
import { createRetellPublisher } from './retell/publisher.ts';
import type { Simulation } from './simulation.ts';
import { createVapiAdapter } from './vapi/adapter.ts';
import { createVapiPublisher } from './vapi/publisher.ts';

export interface PlatformRegistry {
  /** @throws for platforms that send their calls: nothing is asked of them. */
  adapter(platform: Platform): PlatformAdapter;
  /** What turns a stored record into a call again, without its platform. */
  reader(platform: Platform): RecordReader;
  demo: DemoPublisher;
  /** How texts are made live; null where the platform has no way that is built. */
  publisher(platform: Platform): TextPublisher | null;
  /** How an agent is played at a chat address of its owner. */
  chat: Simulation;
  /** How versions are copied to be played; null where that is not done. */
  copies(platform: Platform): AgentCopies | null;
}

export interface PlatformsDeps {
  outbound: Outbound;
  /** Where the demo platform listens; null when there is none. */
  demoUrl: string | null;
  /** A keyed digest for the secrets inside captured configurations; without one a changed secret does not show. */
  digestSecret?: (secret: string) => string;
}

export function createPlatforms({ outbound, demoUrl, digestSecret = () => 'hidden' }: PlatformsDeps): PlatformRegistry {
  const adapters: Record<Exclude<Platform, SendingPlatform>, PlatformAdapter> = {
    retell: createRetellAdapter({
      outbound,
      platform: 'retell',
      label: 'Retell',
      defaultBaseUrl: 'https://api.retellai.com',
      digestSecret,
    }),
    vapi: createVapiAdapter({ outbound, digestSecret }),
    elevenlabs: createElevenLabsAdapter({ outbound, digestSecret }),
    demo: createRetellAdapter({
      outbound,
      platform: 'demo',
      label: 'The demo platform',
      defaultBaseUrl: demoUrl,
      digestSecret,
    }),
  };
  const file = createFileReader();
  const demo = createDemoPublisher(outbound);
  const chat = createChatSimulation(createPlatformClient(outbound, 'The chat address of the agent'));
  const retellCopies = createRetellCopies(createPlatformClient(outbound, 'Retell'));
  const publishers: Partial<Record<Platform, TextPublisher>> = {
    retell: createRetellPublisher(createPlatformClient(outbound, 'Retell')),
    vapi: createVapiPublisher(createPlatformClient(outbound, 'Vapi')),
    elevenlabs: createElevenLabsPublisher(elevenLabsClient(outbound)),
    demo: createDemoTextPublisher(createPlatformClient(outbound, 'The demo platform'), demo),
  };

  function adapter(platform: Platform): PlatformAdapter {
    if (sendsCalls(platform)) throw new Error(`Calls of ${platform} are sent: there is no platform to ask.`);
    return adapters[platform];
  }

  return {
    adapter,
    reader: (platform) => (sendsCalls(platform) ? file : adapter(platform)),
    demo,
    publisher: (platform) => publishers[platform] ?? null,
    chat,
    copies: (platform) => (platform === 'retell' ? retellCopies : null),
  };
}
