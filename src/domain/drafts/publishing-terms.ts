import type { AgentConfiguration } from '../versions/configuration.ts';
import { type Platform, sendsCalls } from '../vocabulary.ts';

/** Why a draft that changes these parts of an agent can't be published; null where it can. How it is written is the adapter's business. */
export function publishingRefused(
  platform: Platform,
  { kind }: Pick<AgentConfiguration, 'kind'>,
  paths: readonly string[],
): string | null {
  if (sendsCalls(platform)) {
    return 'The agent sends its calls: there is no platform to publish to. Take the text over by hand.';
  }
  if (kind === 'squad')
    return 'The assistants of a squad are written one by one, so that a publish could stop half way.';
  const edges = paths.some((path) => path.endsWith('/condition'));
  if (platform === 'vapi' && edges) return 'Assistants of Vapi have no edges to write.';
  const tools = paths.some((path) => path.startsWith('/tools/'));
  if (platform === 'elevenlabs' && tools) {
    return 'Tools of ElevenLabs belong to the workspace and serve other agents too: change them at the platform.';
  }
  return null;
}
