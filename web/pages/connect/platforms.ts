/** Platforms that are connected with a key. */
export const PLATFORMS = [
  { id: 'retell', label: 'Retell' },
  { id: 'vapi', label: 'Vapi' },
  { id: 'elevenlabs', label: 'ElevenLabs' },
  { id: 'demo', label: 'Demo platform' },
] as const;
export type Platform = (typeof PLATFORMS)[number]['id'];

const NAMES: Record<string, string> = {
  ...Object.fromEntries(PLATFORMS.map(({ id, label }) => [id, label])),
  livekit: 'LiveKit',
  pipecat: 'Pipecat',
  otel: 'OpenTelemetry',
  file: 'Files',
};

/** As its makers write it. */
export const platformName = (platform: string) => NAMES[platform] ?? platform;

/** The connection that is looked at, as it stands in the address. */
export interface ConnectSearch {
  connection?: string;
}

export function readConnectSearch(search: Record<string, unknown>): ConnectSearch {
  const connection = search['connection'];
  return typeof connection === 'string' && connection !== '' ? { connection } : {};
}
