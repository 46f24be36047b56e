import { startServer } from '../servers.ts';

export interface SpeakersLog {
  caller: number;
  judge: number;
  agent: number;
  others: number;
  /** Most questions that were out at once. */
  peak: number;
  /** When the first question came, milliseconds since 1970; null before. */
  firstAtMs: number | null;
  /** SHA-256 of what a webhook brought last; null before. */
  hooked: string | null;
}

/** The stand-ins of `servers/speakers.ts`: models and a platform at one address. */
export interface Speakers {
  url: string;
  log(): Promise<SpeakersLog>;
  /** Counts anew, with this latency from now on. */
  reset(latencyMs: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startSpeakers(): Promise<Speakers> {
  const server = await startServer('test/bench/servers/speakers.ts', {});
  const ask = async (path: string, method: 'GET' | 'POST') =>
    (await (await fetch(`${server.url}${path}`, { method })).json()) as SpeakersLog;
  return {
    url: server.url,
    log: () => ask('/log', 'GET'),
    reset: async (latencyMs) => void (await ask(`/reset?latencyMs=${latencyMs}`, 'POST')),
    stop: () => server.stop(),
  };
}
