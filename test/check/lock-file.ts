import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult } from './check.ts';

interface LockEntry {
  resolved?: string;
  /** A package of the project's own. */
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}

/** The lock file must serve every platform, and name no registry. */
export function lockFileFindings(packages: Record<string, LockEntry>): string[] {
  const findings: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
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
  const findings = lockFileFindings(packages);
  return { ok: findings.length === 0, text: `${Object.keys(packages).length} entries`, details: findings.join('\n') };
}

/** As Node looks it up: beside the package, then in each folder above. */
function isLocked(packages: Record<string, LockEntry>, path: string, name: string): boolean {
  for (let at = path; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    if (`${at ? `${at}/` : ''}node_modules/${name}` in packages) return true;
    if (at === '') return false;
  }
}
