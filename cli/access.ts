import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { dataHome, IS_PACKAGED, PROGRAM } from '../src/layout.ts';
import { Problem } from './problem.ts';

const DEFAULT_URL = 'http://127.0.0.1:4100';
const FILE = 'cli.json';
/** Named by `0.0.0.0` a server that listens everywhere is reached without leaving the machine. */
const THIS_MACHINE = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|0\.0\.0\.0|\[::1?\])$/;

/** Set, or by the flag of the same name: keys and passwords may go to other machines over plain http. */
export const ALLOW_HTTP = 'EARSHOT_ALLOW_HTTP';

/** Where the server is and what the command line signs in with. */
export interface Access {
  url: string;
  key: string | null;
  /** A refresh secret; what a key may never do goes through it. */
  session: string | null;
  /** Keeps a refresh secret that took the place of the one before. */
  keepSession(session: string | null): void;
}

/**
 * `EARSHOT_URL` and `EARSHOT_KEY` where they are set, else what `cli.json` holds.
 * @throws Problem where one is set and empty, as a secret that a pipeline was not given, and where what it signs in with
 * would cross a network in the open.
 */
export function readAccess(env: NodeJS.ProcessEnv): Access {
  for (const name of ['EARSHOT_URL', 'EARSHOT_KEY'] as const) {
    if (env[name] === '') {
      throw new Problem(
        `${name} is set and empty: give it its value (pipelines of forks get no secrets), or unset it.`,
      );
    }
  }
  const file = accessFile(env);
  const stored = readStored(file);
  const url = (env.EARSHOT_URL ?? stored.url ?? DEFAULT_URL).replace(/(?<!\/)\/+$/, '');
  if (URL.canParse(url) && new URL(url).protocol === 'http:' && !isOnThisMachine(url) && !env[ALLOW_HTTP]) {
    throw new Problem(
      `${url} is plain http: anybody on the way could read the key or password. Use https, or allow it with \`${PROGRAM} --allow-http …\` or ${ALLOW_HTTP}=1.`,
    );
  }
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

/**
 * Of the data folder that is named, or of the repository. For a package: of a server that runs from the current folder,
 * else the user's own. Anybody may have put a file into a folder, so one counts only for a server on this machine, and
 * no key of the environment goes where it says.
 */
function accessFile(env: NodeJS.ProcessEnv): string {
  if (env.EARSHOT_DATA !== undefined) return join(env.EARSHOT_DATA, FILE);
  const ofFolder = join(dataHome(), '.earshot', FILE);
  if (!IS_PACKAGED) return ofFolder;
  const ofUser = join(userFolder(env), FILE);
  return env.EARSHOT_KEY === undefined && isOnThisMachine(readStored(ofFolder).url) ? ofFolder : ofUser;
}

function userFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'earshot');
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'earshot');
}

function isOnThisMachine(url: string | null): boolean {
  return url !== null && URL.canParse(url) && THIS_MACHINE.test(new URL(url).hostname);
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
