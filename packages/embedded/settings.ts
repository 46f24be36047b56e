import { join, resolve } from 'node:path';
import { dataHome, IS_PACKAGED, PACKAGE, START } from '../../src/layout.ts';
import { takeSecretFiles } from '../../src/secret-files.ts';
import { UserFacingError } from '../../src/user-facing-error.js';
import { embeddedSecret } from './data-folder.ts';
import { tryLock } from './lock.js';
import { isFree } from './ports.ts';

const DEFAULT_PORT = 4100;

/**
 * For the API and workers, as `deploy` sets them too. V8 lets the young generation grow to 67 MB at a start, and keeps them
 * for good. Halves of 8 MiB serve as many requests a second as halves of 16 MiB; halves of 4 MiB an eighth fewer.
 */
export const SERVER_NODE_OPTIONS = '--max-semi-space-size=8';

/** What a start goes by before there is a database to complete the configuration of its processes. */
export interface StartSettings {
  version: string;
  /** Absolute. */
  dataFolder: string;
  host: string;
  port: number;
  /** Where this machine reaches the API. */
  url: string;
  env: NodeJS.ProcessEnv;
}

/** @throws UserFacingError when the port is no port, or a file that holds a secret can't be read. */
export function startSettings(givenPort: number | undefined, env: NodeJS.ProcessEnv = process.env): StartSettings {
  takeSecretFiles(env);
  const port = givenPort ?? Number(env['EARSHOT_PORT'] || DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UserFacingError('The port must be a whole number from 1 to 65535: correct --port or EARSHOT_PORT.');
  }
  const host = env['EARSHOT_HOST'] || '127.0.0.1';
  return {
    version: PACKAGE.version,
    dataFolder: resolve(dataHome(), env['EARSHOT_DATA'] || '.earshot'),
    host,
    port,
    url: `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`,
    env,
  };
}

/** @throws UserFacingError that names the port and the way out. */
export async function requireFreePort({ port, host }: StartSettings): Promise<void> {
  if (await isFree(port, host)) return;
  throw new UserFacingError(
    `Port ${port} is taken by another program: stop that one, or choose another port with \`${START}${IS_PACKAGED ? '' : ' --'} --port ${port + 1}\`.`,
  );
}

/**
 * The secret for what is stored encrypted: given, or on the embedded default made at the first start.
 * @throws UserFacingError where it is required and not given.
 */
export function startSecret({ env, dataFolder }: StartSettings, hasData: boolean): string {
  const given = env['EARSHOT_SECRET'];
  if (given) return given;
  if (env['DATABASE_URL']) {
    throw new UserFacingError(
      'EARSHOT_SECRET must be set when DATABASE_URL is: what is stored encrypted there cannot be read without it. Make one with `openssl rand -base64 32` and keep it.',
    );
  }
  return embeddedSecret(dataFolder, hasData);
}

/**
 * Takes the data folder for this start.
 * @returns how to give it back.
 * @throws UserFacingError when Earshot runs from it already.
 */
export function lockFolder({ dataFolder, url }: StartSettings): () => void {
  const lock = tryLock(join(dataFolder, 'up.lock'), url);
  if (lock.taken) return lock.release;
  const since = new Date(lock.holder.since).toLocaleTimeString();
  throw new UserFacingError(
    `Earshot runs from this folder already, at ${lock.holder.note} (process ${lock.holder.pid}, since ${since}): use that one, stop it with Ctrl-C there, or start with EARSHOT_DATA set to another folder.`,
  );
}
