import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKS_FROM } from '../../src/db/schema-fit.ts';
import { CREATES_TABLE, LAST_BEFORE, statementsOf } from './blocking-migrations.ts';
import type { CheckResult } from './check.ts';

/** Each with the table as its first group, where there is one. */
const TAKES_AWAY = [
  /^drop (?:table|view|materialized view|function|type) (?:if exists )?"?(\w+)"?/,
  /^alter table (?:if exists )?"?(\w+)"? .*\bdrop (?!constraint\b)/,
  /^alter table (?:if exists )?"?(\w+)"? .*\brename\b/,
  /^alter table (?:if exists )?"?(\w+)"? .*\balter (?:column )?\S+ (?:set not null|(?:set data )?type\b)/,
  /^alter table (?:if exists )?"?(\w+)"? .*\badd (?:column )?(?!constraint\b)[^,]* not null(?![^,]*\b(?:default|generated)\b)/,
];

/**
 * Migrations that take away what processes of the release before may use or write, without a name that says from which
 * migration on processes do without it (`…_from_20261123034500`).
 */
export function contractingMigrations(project: string): CheckResult {
  const folder = join(project, 'migrations');
  const files = readdirSync(folder).filter((file) => file.startsWith('Migration'));
  const findings = files.flatMap((file) => {
    const others = files.filter((other) => other < file);
    const text = file > LAST_BEFORE ? readFileSync(join(folder, file), 'utf8') : '';
    return contractingStatements(text, file.replace(/\.ts$/, ''), others).map((what) => `migrations/${file} ${what}`);
  });
  return { ok: findings.length === 0, text: `${files.length} migrations`, details: findings.join('\n') };
}

/** @param earlier names of the migrations before it. */
export function contractingStatements(migration: string, name: string, earlier: readonly string[]): string[] {
  const from = WORKS_FROM.exec(name)?.[1];
  if (from !== undefined) {
    const isThere = earlier.some((other) => other.startsWith(`Migration${from}`));
    return isThere ? [] : [`says that processes work from ${from} on, and no earlier migration is of that time`];
  }
  const statements = statementsOf(migration);
  const own = new Set(statements.flatMap((one) => CREATES_TABLE.exec(one)?.[1] ?? []));
  return statements
    .filter((statement) => TAKES_AWAY.some((sign) => isOfOthers(sign.exec(statement)?.[1], own)))
    .map((statement) => `takes something away, and its name has no _from_<time>: ${statement.slice(0, 120)}`);
}

const isOfOthers = (table: string | undefined, own: ReadonlySet<string>) => table !== undefined && !own.has(table);
