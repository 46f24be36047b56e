import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository, or a package made of it, which has the same folders. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** In the repository this file is TypeScript; in a package it was compiled. */
export const IS_PACKAGED = import.meta.url.endsWith('.js');

export const PACKAGE: { name: string; version: string; bin: Record<string, string> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);

/** How whoever reads a hint calls the command line, so that what they paste works. */
export const PROGRAM = IS_PACKAGED ? packagedProgram(process.env) : 'npx earshot';

/** How they start a server, of which the command line's own package knows the name. */
export const START = IS_PACKAGED ? packagedStart() : 'npm start';

function packagedProgram(env: NodeJS.ProcessEnv): string {
  return env['npm_command'] === 'exec' ? `npx ${PACKAGE.name}` : (Object.keys(PACKAGE.bin)[0] ?? 'earshot');
}

function packagedStart(): string {
  return 'earshot-server' in PACKAGE.bin ? PROGRAM : `npx ${PACKAGE.name}-server`;
}

/** The folder in which `.earshot` lies: the repository, or the one that a package is used in. */
export const dataHome = (): string => (IS_PACKAGED ? process.cwd() : ROOT);

/** The file of a module that runs as a process of its own. @param module its path without the ending. */
export const moduleFile = (module: string): string => join(ROOT, `${module}${IS_PACKAGED ? '.js' : '.ts'}`);
