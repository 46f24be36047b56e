import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject, type JsonObject } from '../../src/domain/json.ts';
import { parseJson } from '../../src/domain/parse-json.ts';
import { numberOf, textOf } from '../../src/platforms/lenient.ts';
import { DEMO_API_KEY } from './agents.ts';
import { createDemoStore, type DemoStore, type Published, withPublished } from './store.ts';

/** So that an account stays small; nobody tries out more. */
const PUBLISHED_AT_MOST = 50;

/** Each key is an account with agents of its own: what one has published, no other sees. */
export interface DemoAccounts {
  /** Null for a key that opens nothing. */
  storeOf(key: string): DemoStore | null;
  /** Another version of an agent with its calls; the same request is answered with the same version. */
  publish(key: string, agentId: string, requestId: string, written?: WrittenVersion): Promise<PublishAnswer>;
}

/** What an agent is to say; without one, the next planned change is made. */
export interface WrittenVersion {
  engine: JsonObject;
  /** The newest version, as far as its author knows. */
  baseVersion: number;
}

export type PublishAnswer = { version: number } | 'shared' | 'no_agent' | 'too_many' | 'other_base';

export interface DemoAccountsOptions {
  /** All planned calls lie before it. */
  endMs: number;
  /** Where published versions are kept; null for as long as the process lives. */
  folder: string | null;
  clock: () => number;
}

export async function openDemoAccounts({ endMs, folder, clock }: DemoAccountsOptions): Promise<DemoAccounts> {
  const shared = createDemoStore(endMs);
  const file = folder === null ? null : path.join(folder, 'demo-versions.json');
  const published = await readPublished(file);
  const stores = new Map<string, DemoStore>();
  let saved = Promise.resolve();

  function storeOf(key: string): DemoStore | null {
    if (key === DEMO_API_KEY) return shared;
    if (!OWN_KEY.test(key)) return null;
    const known = stores.get(key);
    if (known) return known;
    const own = published.filter(({ account }) => account === key);
    if (own.length === 0) return shared;
    const made = withPublished(shared, key, own);
    stores.set(key, made);
    return made;
  }

  return {
    storeOf,
    async publish(account, agentId, requestId, written) {
      if (account === DEMO_API_KEY) return 'shared';
      const newest = shared.agents.get(agentId)?.versions.at(-1);
      if (newest === undefined) return 'no_agent';
      const own = published.filter((one) => one.account === account && one.agentId === agentId);
      const nth = own.findIndex((one) => one.requestId === requestId);
      if (nth < 0) {
        if (own.length >= PUBLISHED_AT_MOST) return 'too_many';
        if (written && written.baseVersion !== newest + own.length) return 'other_base';
        published.push({ account, agentId, requestId, atMs: clock(), ...(written ? { engine: written.engine } : {}) });
        stores.delete(account);
      }
      saved = saved.catch(() => {}).then(() => writePublished(file, published));
      await saved;
      return { version: newest + 1 + (nth < 0 ? own.length : nth) };
    },
  };
}

/** `demo-` and the id of the workspace that the account belongs to. */
const OWN_KEY = /^demo-[\da-f-]{36}$/;

/** A file that can't be read counts as none. */
async function readPublished(file: string | null): Promise<Published[]> {
  const kept = file === null ? null : parseJson(await readFile(file, 'utf8').catch(() => ''));
  return (Array.isArray(kept) ? kept : []).flatMap((one) => {
    if (!isJsonObject(one)) return [];
    const [account, agentId, requestId, atMs] = [
      textOf(one.account),
      textOf(one.agentId),
      textOf(one.requestId),
      numberOf(one.atMs),
    ];
    if (!account || !agentId || !requestId || atMs === null) return [];
    return [{ account, agentId, requestId, atMs, ...(isJsonObject(one.engine) ? { engine: one.engine } : {}) }];
  });
}

async function writePublished(file: string | null, published: readonly Published[]): Promise<void> {
  if (file === null) return;
  await mkdir(path.dirname(file), { recursive: true });
  const written = `${file}.${process.pid}`;
  await writeFile(written, `${JSON.stringify(published)}\n`);
  await rename(written, file);
}
