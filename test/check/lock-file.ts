import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult } from './check.ts';

/** Those that let us pass on what we ship; data and fonts among them. Another one is somebody's decision. */
const LICENCES = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
]);
/**
 * Of single packages, by decision: this one is used as it is, as a package of its own that whoever runs the server may
 * replace, which is what its licence asks for.
 */
const DECIDED: Record<string, string> = { 'node_modules/codec-parser': 'LGPL-3.0-or-later' };

/** Their lock entry names none; their own file says it. */
const LICENCE_IN_FILE = new Set(['node_modules/unionfs']);

interface LockEntry {
  resolved?: string;
  license?: string;
  /** Needed to build and test alone. */
  dev?: boolean;
  hasInstallScript?: boolean;
  /** A package of the project's own. */
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}

/**
 * The lock file must serve every platform and name no registry; what is shipped has a licence that allows it, and nothing
 * runs at install but what is allowed to.
 * @param mayRun names of packages
 */
export function lockFileFindings(packages: Record<string, LockEntry>, mayRun: readonly string[] = []): string[] {
  const findings: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (entry.hasInstallScript && !mayRun.includes(name))
      findings.push(
        `${path} runs a script when it is installed: look at it, and name it in allowScripts of package.json`,
      );
    if (isShipped(path, entry) && !mayBeShipped(path, entry))
      findings.push(`${path} is shipped under ${entry.license ?? 'no licence'}: that is to be decided first`);
    if (entry.resolved !== undefined && entry.link !== true)
      findings.push(`${path} has a "resolved" line: run npm install with the project's .npmrc`);
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      if (!isLocked(packages, path, name))
        findings.push(`${path || 'the project'} offers ${name} for some platform, and it is not locked`);
    }
  }
  return findings;
}

export function lockFile(project: string): CheckResult {
  const { packages } = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const { allowScripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    allowScripts: Record<string, boolean>;
  };
  const mayRun = Object.keys(allowScripts).filter((name) => allowScripts[name]);
  const findings = lockFileFindings(packages, mayRun);
  return { ok: findings.length === 0, text: `${Object.keys(packages).length} entries`, details: findings.join('\n') };
}

/** The project's own are for its owner to license. */
const isShipped = (path: string, { dev, link }: LockEntry) => path.includes('node_modules/') && !dev && !link;

/** One of the licences that are offered, or all that apply. */
function mayBeShipped(path: string, { license }: LockEntry): boolean {
  if (license === undefined) return LICENCE_IN_FILE.has(path);
  if (DECIDED[path] === license) return true;
  const names = license.replaceAll(/[()]/g, '').split(/ (?:AND|OR) /);
  return license.includes(' OR ')
    ? names.some((name) => LICENCES.has(name))
    : names.every((name) => LICENCES.has(name));
}

/** As Node looks it up: beside the package, then in each folder above. */
function isLocked(packages: Record<string, LockEntry>, path: string, name: string): boolean {
  for (let at = path; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    if (`${at ? `${at}/` : ''}node_modules/${name}` in packages) return true;
    if (at === '') return false;
  }
}
