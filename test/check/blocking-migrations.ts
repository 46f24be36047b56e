import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult } from './check.ts';

/** Landed before the rules: they are never changed. */
export const LAST_BEFORE = 'Migration20261123034500_workspace_audit.ts';

interface Rule {
  /** With the table as its first group, where it names one. */
  sign: RegExp;
  what: string;
}

const TABLE = '"?(\\w+)"?';
const ALTER = `^alter table (?:if exists )?(?:only )?${TABLE} .*`;
const RULES: Rule[] = [
  {
    sign: new RegExp(`^create (?:unique )?index (?!concurrently)(?:.*?) on (?:only )?${TABLE}`),
    what: 'creates an index while nobody can write (a ConcurrentMigration adds it beside those who do)',
  },
  {
    sign: new RegExp(
      `${ALTER}\\badd (?:constraint \\S+ )?(?:check|foreign key|unique|primary key|exclude)\\b(?!.*(?:\\bnot valid|\\busing index)\\b)`,
    ),
    what: 'adds a constraint and looks at every row under its lock (add it not valid, validate it in a later migration)',
  },
  {
    sign: new RegExp(
      `${ALTER}\\badd (?:column )?"?(?!constraint|check|foreign|unique|primary|exclude)\\w+"? .*\\b(?:check|references|unique|stored)\\b`,
    ),
    what: 'adds a column with a constraint or a stored expression, which looks at or rewrites every row under its lock',
  },
  {
    sign: new RegExp(`${ALTER}\\balter (?:column )?\\S+ set not null`),
    what: 'sets not null by looking at every row under its lock (validate a check of it first)',
  },
  {
    sign: new RegExp(`${ALTER}\\balter (?:column )?\\S+ (?:set data )?type\\b`),
    what: 'changes the type of a column, which rewrites every row under its lock',
  },
];

/** Migrations that would keep others out of tables that may have millions of rows, unless they name a reason. */
export function blockingMigrations(project: string): CheckResult {
  const folder = join(project, 'migrations');
  const files = readdirSync(folder).filter((file) => file.startsWith('Migration') && file > LAST_BEFORE);
  const findings = files.flatMap((file) =>
    blockingStatements(readFileSync(join(folder, file), 'utf8')).map((what) => `migrations/${file} ${what}`),
  );
  return { ok: findings.length === 0, text: `${files.length} migrations`, details: findings.join('\n') };
}

/** What a migration does to tables that it did not make itself; nothing where `blocksBecause` gives a reason. */
export function blockingStatements(migration: string): string[] {
  if (/\bblocksBecause\s*=\s*'[^']{20,}'/.test(migration)) return [];
  const statements = statementsOf(migration);
  const own = new Set(statements.flatMap((one) => CREATES_TABLE.exec(one)?.[1] ?? []));
  const validated = new Set(statements.flatMap((one) => VALIDATES.exec(one)?.[1] ?? []));
  return statements.flatMap((statement) =>
    RULES.filter(({ sign }) => {
      const table = sign.exec(statement)?.[1];
      if (table === undefined || own.has(table)) return false;
      return !(validated.has(table) && statement.includes('set not null'));
    }).map(({ what }) => `${what}: ${statement.slice(0, 120)}`),
  );
}

export const CREATES_TABLE = new RegExp(`^create (?:unlogged )?table (?:if not exists )?${TABLE}`);
const VALIDATES = new RegExp(`${ALTER}\\bvalidate constraint\\b`);

/** In small letters, on one line each. */
export function statementsOf(migration: string): string[] {
  const texts = [...migration.matchAll(/addSql\(\s*(?:`([^`]*)`|'([^']*)'|"([^"]*)")/g)];
  return texts.flatMap(([, ...found]) =>
    (found.find((text) => text !== undefined) ?? '')
      .toLowerCase()
      .split(';')
      .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
      .filter(Boolean),
  );
}
