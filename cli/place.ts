import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** In the repository this file is TypeScript; in a package it was compiled. */
const IS_PACKAGED = import.meta.url.endsWith('.js');

/** What `package.json` says of the repository or the package that this file lies in. */
export const PACKAGE: { name: string; version: string; bin: Record<string, string> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);

/** How whoever reads a hint calls this program, so that what they paste works. */
export const PROGRAM = IS_PACKAGED ? packagedProgram(process.env) : 'npx earshot';

function packagedProgram(env: NodeJS.ProcessEnv): string {
  return env.npm_command === 'exec' ? `npx ${PACKAGE.name}` : (Object.keys(PACKAGE.bin)[0] ?? 'earshot');
}

/** Where `npm start` keeps its data: the repository's folder, or the one that a package is used in. */
export const dataFolder = () => join(IS_PACKAGED ? process.cwd() : ROOT, '.earshot');

/** Where a package keeps what belongs to the user; in the repository all of it lies in the data folder. */
export function userFolder(env: NodeJS.ProcessEnv): string {
  if (!IS_PACKAGED) return dataFolder();
  if (process.platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'earshot');
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'earshot');
}
