import type { Platform } from '../domain/vocabulary.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { createFileReader } from './file/reader.ts';
import type { PlatformAdapter, RecordReader } from './port.ts';
import { createRetellAdapter } from './retell/adapter.ts';

export interface PlatformRegistry {
  /** @throws for `file`, which has no live platform, and for platforms that are not built in. */
  adapter(platform: Platform): PlatformAdapter;
  /** What turns a stored record into a call again, without its platform. */
  reader(platform: Platform): RecordReader;
}

export interface PlatformsDeps {
  outbound: Outbound;
  /** Where the demo platform listens; null when there is none. */
  demoUrl: string | null;
  /** A keyed digest for the secrets inside captured configurations; without one a changed secret does not show. */
  digestSecret?: (secret: string) => string;
}

export function createPlatforms({ outbound, demoUrl, digestSecret = () => 'hidden' }: PlatformsDeps): PlatformRegistry {
  const adapters: Partial<Record<Platform, PlatformAdapter>> = {
    retell: createRetellAdapter({
      outbound,
      platform: 'retell',
      label: 'Retell',
      defaultBaseUrl: 'https://api.retellai.com',
      digestSecret,
    }),
    demo: createRetellAdapter({
      outbound,
      platform: 'demo',
      label: 'The demo platform',
      defaultBaseUrl: demoUrl,
      digestSecret,
    }),
  };
  const file = createFileReader();

  function adapter(platform: Platform): PlatformAdapter {
    const found = adapters[platform];
    if (found) return found;
    const reason = platform === 'file' ? 'Files have no platform to ask.' : `Earshot can't read ${platform} yet.`;
    throw new Error(reason);
  }

  return { adapter, reader: (platform) => (platform === 'file' ? file : adapter(platform)) };
}
