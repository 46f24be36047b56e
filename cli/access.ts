import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
export const DEFAULT_URL = 'http://127.0.0.1:4100';

/** Where the server is and what the command line signs in with. */
export interface Access {
  url: string;
  key: string | null;
  /** A refresh secret; what a key may never do goes through it. */
  session: string | null;
  /** Keeps a refresh secret that took the place of the one before. */
  keepSession(session: string | null): void;
}

/** `EARSHOT_URL` and `EARSHOT_KEY` where they are set, else `cli.json` in the data folder of the project. */
export function readAccess(env: NodeJS.ProcessEnv): Access {
  const file = accessFile(env);
  const stored = readStored(file);
  const url = (env.EARSHOT_URL ?? stored.url ?? DEFAULT_URL).replace(/\/+$/, '');
  // What was stored for one server is never sent to another.
  const known = stored.url === url ? stored : { key: null, session: null };
  return {
    url,
    key: env.EARSHOT_KEY ?? known.key ?? null,
    session: known.session ?? null,
    keepSession: (session) => writeStored(file, { url, key: known.key ?? null, session }),
  };
}

interface Stored {
  url: string | null;
  key: string | null;
  session: string | null;
}

function accessFile(env: NodeJS.ProcessEnv): string {
  return join(env.EARSHOT_DATA ?? join(PROJECT, '.earshot'), 'cli.json');
}

function readStored(file: string): Stored {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof stored !== 'object' || stored === null) return { url: null, key: null, session: null };
    const text = (name: string) => {
      const value: unknown = Reflect.get(stored, name);
      return typeof value === 'string' ? value : null;
    };
    return { url: text('url'), key: text('key'), session: text('session') };
  } catch {
    return { url: null, key: null, session: null };
  }
}

function writeStored(file: string, stored: Stored): void {
  mkdirSync(dirname(file), { recursive: true });
  // Written whole beside the old one: a reader in between sees one of them, never half.
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify(stored)}\n`, { mode: 0o600 });
  renameSync(beside, file);
}
