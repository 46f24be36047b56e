/** Platforms that are connected with a key. */
export const PLATFORMS = [
  { id: 'retell', label: 'Retell' },
  { id: 'vapi', label: 'Vapi' },
  { id: 'elevenlabs', label: 'ElevenLabs' },
  { id: 'demo', label: 'Demo platform' },
] as const;
export type Platform = (typeof PLATFORMS)[number]['id'];

/** The connection that is looked at, as it stands in the address. */
export interface ConnectSearch {
  connection?: string;
}

export function readConnectSearch(search: Record<string, unknown>): ConnectSearch {
  const connection = search['connection'];
  return typeof connection === 'string' && connection !== '' ? { connection } : {};
}
