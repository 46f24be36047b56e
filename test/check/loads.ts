import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { CheckResult } from './check.ts';

/**
 * What a process may not load when it starts, by the beginning of its path or its package: each takes time and memory of
 * every process, and one request or activity in many needs it. There it is loaded by `await import(…)`.
 */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  'api/server.ts': [
    'src/domain/signals/detectors',
    'src/domain/signals/structure',
    'src/domain/signals/reading.ts',
    'src/domain/words/lexicon.ts',
    'src/platforms/file/',
    'src/platforms/formats/',
    'src/models/open-models.ts',
    '@temporalio/',
    '@modelcontextprotocol/',
    '@opentelemetry/',
    '@scalar/',
    '@marcbachmann/cel-js',
    'nodemailer',
    'openid-client',
    'prom-client',
    'protobufjs',
    'undici',
  ],
  'activities/worker.ts': ['src/domain/signals/detectors.ts', '@opentelemetry/', 'nodemailer'],
};
/** What is imported as a value and not by `import(…)`. */
const STATIC = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?from\s+)?'([^']+)'/gm;

export function loads(project: string): CheckResult {
  const read = (path: string) => readFileSync(join(project, path), 'utf8');
  const findings = Object.entries(WITHOUT).flatMap(([entry, without]) => loadFindings(entry, without, read));
  const counts = Object.keys(WITHOUT).map((entry) => `${entry} loads ${loadedBy(entry, read).size}`);
  return { ok: findings.length === 0, text: counts.join(', '), details: findings.join('\n') };
}

/** One finding for each thing that is loaded, with the way that leads to it. */
export function loadFindings(entry: string, without: readonly string[], read: (path: string) => string): string[] {
  const loaded = loadedBy(entry, read);
  return without.flatMap((beginning) => {
    const found = [...loaded.keys()].find((target) => target.startsWith(beginning));
    if (found === undefined) return [];
    const way = [found];
    for (let by = loaded.get(found); by; by = loaded.get(by)) way.unshift(by);
    return [`${entry} loads ${found} when it starts:\n  ${way.join('\n  → ')}`];
  });
}

/** Everything that the file loads, each with what was first to import it. */
function loadedBy(entry: string, read: (path: string) => string): Map<string, string | null> {
  const loaded = new Map<string, string | null>([[entry, null]]);
  for (const path of loaded.keys()) {
    if (!path.includes('/') || path.startsWith('@') || !/\.[jt]s$/.test(path)) continue;
    for (const [, target = ''] of read(path).matchAll(STATIC)) {
      const resolved = target.startsWith('.') ? posix.join(dirname(path), target) : target;
      if (!loaded.has(resolved)) loaded.set(resolved, path);
    }
  }
  return loaded;
}
