import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult } from './check.ts';

/** What people read or work in: pages, and the sources with the sentences that they show. */
const READ = [
  '{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md',
  'docs/**/*.md',
  '{activities,api,cli,packages,src,web,workflows}/**/*.{ts,tsx,js}',
];
/** What others wrote; the page that lists the phrases; records that stay as written; what models and callers say. */
const LEFT_OUT = [
  '**/{node_modules,dist,lib}/**',
  'docs/{style,decisions}.md',
  'web/client/schema.d.ts',
  'src/models/**',
  'src/domain/reading/reader-codes.ts',
  'src/domain/words/**',
];

/** Phrases that read as translated, each with what to write. `docs/style.md` has more, with reasons. */
export const PHRASES: readonly [phrase: RegExp, instead: string][] = [
  [/\b(?:one|row|line|turn) a (?:call|line|record|row|turn)\b/i, '"one per line"'],
  [/\bput(?:s|ting)? (?:it|that|this|them) right\b/i, '"fix" or "correct"'],
  [/\b(?:was|is|are|were) put right\b/i, '"was corrected"'],
  [/\bmend(?:s|ed|ing)?\b/i, '"fix"'],
  [/\b(?:dearer|dearest)\b/i, '"more expensive"'],
  [/\btakes? (?:it|the \w+) no more\b/i, '"no longer takes"'],
  [/\bfor who (?:wants?|can)\b/i, '"if you want"'],
  [/\bsuch silence\b/i, 'what was not seen, and on how many calls'],
  [/\blaid anew\b/i, '"derived again"'],
  [/\b1 (?:calls|cells|issues|tests|seconds|turns|versions)\b/, 'a plural by number'],
  [/\bis no cause\b/i, '"is not a cause"'],
  [/\bhinders?\b/i, '"blocks"'],
];

/** Refuses the phrases that make readers stumble. */
export function phrases(project: string): CheckResult {
  const files = globSync(READ, { cwd: project, exclude: LEFT_OUT });
  const details = files.flatMap((file) => oddPhrases(file, readFileSync(join(project, file), 'utf8')));
  return { ok: details.length === 0, text: `${files.length} files read as plain English`, details: details.join('\n') };
}

/** @returns a line for each phrase found, with its place. */
export function oddPhrases(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, at) =>
    PHRASES.flatMap(([phrase, instead]) => {
      const found = phrase.exec(line);
      return found ? [`${file}:${at + 1}: "${found[0]}" → ${instead}`] : [];
    }),
  );
}
