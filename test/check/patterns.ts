import type { CheckResult } from './check.ts';
import { growthOf } from './patterns/growth.ts';
import { type Pattern, patternsInSource } from './patterns/in-source.ts';
import { openKept } from './patterns/kept.ts';

/** No text may hold a process: every regular expression takes a time that grows with its text and no faster. */
export function patterns(project: string): CheckResult {
  const kept = openKept(project);
  const { patterns: found, unknown } = patternsInSource(project, kept);
  const growths = (written: string, find: () => string | null) => kept.of('growth', written, find);
  const findings = [...patternFindings(found, growths), ...unknown.map(madeWhileRunning)];
  kept.save();
  return {
    ok: findings.length === 0,
    text: `${found.length} regular expressions are linear`,
    details: findings.join('\n'),
  };
}

/** @param of what is known of one from before */
export function patternFindings(
  found: readonly Pattern[],
  of: (written: string, find: () => string | null) => string | null = (_, find) => find(),
): string[] {
  return found.flatMap(({ source, flags, at }) => {
    const written = `/${source}/${flags}`;
    const problem = of(written, () => problemOf(source, flags));
    return problem === null ? [] : [`${at}: ${written}\n  ${problem}`];
  });
}

function problemOf(source: string, flags: string): string | null {
  const growth = growthOf(source, flags);
  if (growth.kind === 'linear') return null;
  if (growth.kind === 'undecided') return `Whether it is linear can't be told: ${growth.why}`;
  const { prefix, pump, suffix } = growth;
  const text = [JSON.stringify(prefix), `${JSON.stringify(pump)} many times`, JSON.stringify(suffix)].join(' + ');
  const how =
    growth.kind === 'exponential' ? 'doubles with each further round of' : 'grows with the square of, or faster than,';
  return `The time it takes ${how} ${text}. Give a part of it an upper end ({0,80}), or a beginning that what comes before can't hold.`;
}

const madeWhileRunning = (at: string): string =>
  `${at} makes a regular expression only while it runs, so that nobody knows it before: make it of constants as the module loads, or compare strings.`;
