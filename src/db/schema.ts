import { readdir } from 'node:fs/promises';
import pg from 'pg';
import { MIGRATIONS_FOLDER } from './orm.ts';
import { decideSchemaFit, type SchemaFit } from './schema-fit.ts';

/** A database whose schema a newer version of Earshot has changed so that this version can't work on it. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/** The schema lacks what this version needs, and this process may not or does not change it; waiting fixes that. */
export class SchemaBehindError extends Error {
  override name = 'SchemaBehindError';
}

const ANSWER_WITHIN_MS = 30_000;
const MIGRATE = 'Run "earshot-server migrate" (or "node api/migrate.ts")';
const AS_OWNER = `${MIGRATE} with EARSHOT_MIGRATION_URL, the address of the user who owns them`;

/**
 * Makes sure that this version works on the schema as it is, which it leaves alone.
 * @throws NewerDatabaseError; SchemaBehindError with what it waits for.
 */
export async function requireSchema(databaseUrl: string): Promise<void> {
  const { owns, fit } = await lookAtSchema(databaseUrl);
  if (fit.is === 'behind') throw behind(fit.missing, owns);
}

/**
 * What stands in the database of an address, as its user sees it.
 * @throws NewerDatabaseError; SchemaBehindError where the user may not see which migrations have run.
 */
export async function lookAtSchema(databaseUrl: string): Promise<{ owns: boolean; fit: Exclude<SchemaFit, Newer> }> {
  const { owns, executed } = await readExecuted(databaseUrl);
  return { owns, fit: refuseNewer(decideSchemaFit(executed, await knownMigrations())) };
}

/** @throws NewerDatabaseError */
export function refuseNewer(fit: SchemaFit): Exclude<SchemaFit, Newer> {
  if (fit.is !== 'newer') return fit;
  throw new NewerDatabaseError(
    `The database was made by a newer version of Earshot (it has ${fit.unknown.join(', ')}).`,
  );
}
type Newer = { is: 'newer' };

/** What is missing and who fixes it. */
export function behind(missing: readonly string[], owns: boolean): SchemaBehindError {
  const count = missing.length === 1 ? '1 migration' : `${missing.length} migrations`;
  const lacks = `The database lacks ${count} (from ${missing[0]} on)`;
  return new SchemaBehindError(
    owns ? `${lacks}. ${MIGRATE}.` : `${lacks}, and the user of DATABASE_URL owns no tables. ${AS_OWNER}.`,
  );
}

/** An empty database belongs to whoever comes first. */
async function readExecuted(url: string): Promise<{ owns: boolean; executed: string[] }> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'earshot-schema',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ owns: boolean; mayRead: boolean }>(`
      select pg_has_role(current_user, relowner, 'usage') as owns, has_table_privilege(oid, 'select') as "mayRead"
      from pg_class where oid = to_regclass('mikro_orm_migrations')`);
    const [table] = rows;
    if (!table) return { owns: true, executed: [] };
    if (!table.mayRead) {
      throw new SchemaBehindError(
        `The user of DATABASE_URL owns no tables and may not see which migrations have run. ${AS_OWNER}: that lets it.`,
      );
    }
    const executed = await client.query<{ name: string }>('select name from mikro_orm_migrations');
    return { owns: table.owns, executed: executed.rows.map(({ name }) => name) };
  } finally {
    await client.end().catch(() => {});
  }
}

export async function knownMigrations(): Promise<string[]> {
  const files = await readdir(MIGRATIONS_FOLDER);
  return files.flatMap((file) => /^(Migration\d.*)\.[jt]s$/.exec(file)?.[1] ?? []);
}
