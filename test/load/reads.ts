import { Pool } from 'undici';
import type { BenchAgent } from '../bench/data.ts';
import type { Answer } from './open-loop.ts';

/** One read of a reader's hour. */
export interface Read {
  name: string;
  path: string;
}

/** What people and programs read of an agent, as often as they do, beside calls of their own. */
export function readsOf({ agentId }: BenchAgent, callIds: readonly string[]): Read[] {
  const at = `/v1/agents/${agentId}`;
  const call = callIds.map((id): Read => ({ name: 'a call', path: `${at}/calls/${id}` }));
  const list: Read = { name: 'calls', path: `${at}/calls` };
  const narrowed: Read = { name: 'calls of an outcome', path: `${at}/calls?outcome=abandoned&limit=50` };
  const issues: Read = { name: 'issues', path: `${at}/issues` };
  const metrics: Read = { name: 'metrics', path: `${at}/metrics` };
  const versions: Read = { name: 'versions', path: `${at}/versions` };
  return call.flatMap((one) => [list, one, issues, list, one, metrics, narrowed, versions, list, issues]);
}

export interface Reader {
  read(nth: number): Promise<Answer>;
  close(): Promise<void>;
}

/** Reads by turns at several APIs, with several keys. */
export function openReader(urls: readonly string[], keys: readonly string[], reads: readonly Read[]): Reader {
  const pools = urls.map((url) => new Pool(url, { connections: 64, headersTimeout: 30_000, bodyTimeout: 30_000 }));
  return {
    async read(nth) {
      const { name, path } = turn(reads, nth);
      const headers = { authorization: `Bearer ${turn(keys, nth)}` };
      try {
        const answer = await turn(pools, nth).request({ method: 'GET', path, headers });
        await answer.body.dump();
        const retryAfter = answer.headers['retry-after'];
        return { name, status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null };
      } catch {
        return { name, status: 0, retryAfter: null };
      }
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.close()));
    },
  };
}

function turn<T>(all: readonly T[], nth: number): T {
  const one = all[nth % all.length];
  if (one === undefined) throw new Error('There is nothing to take turns with.');
  return one;
}
