import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../src/layout.ts';

export interface ReleaseSettings {
  /** Under which the packages are named; nobody but its owner can publish there. */
  scope: string;
  /** Where the tarballs go; absolute. */
  out: string;
  only: string | null;
}

/** What `package.json` of the repository says that packages say too. */
export interface ProjectManifest {
  version: string;
  description: string;
  license: string;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
}

export const readManifest = (file: string): ProjectManifest => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));

const PLACEHOLDER = '@your-org';
/** Until somebody chose it, the scope may be a stranger's, from whom nothing may be installed. */
export const isOwnScope = (scope: string) => scope !== PLACEHOLDER;

/** @throws Error where a switch is unknown or the scope is none. */
export function releaseSettings(args: string[]): ReleaseSettings {
  const { values } = parseArgs({
    args,
    options: {
      scope: { type: 'string', default: process.env['EARSHOT_PACKAGE_SCOPE'] || PLACEHOLDER },
      out: { type: 'string', default: join(ROOT, 'dist') },
      only: { type: 'string' },
    },
  });
  if (!/^@[a-z0-9][a-z0-9._-]*$/.test(values.scope)) throw new Error(`A scope looks like @acme, not ${values.scope}.`);
  return { scope: values.scope, out: values.out, only: values.only ?? null };
}
