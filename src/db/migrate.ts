import { sql } from 'kysely';
import { fieldOf } from '../domain/json.ts';
import { RoleRefusedError } from './database.ts';
import { type Orm, openOrm } from './orm.ts';
import { OwnerDriver } from './owner-driver.ts';
import { APPLICATION_ROLE } from './scope.ts';

/** Any number; the same for every process, so that two starts at once migrate one after the other. */
const MIGRATION_LOCK = 7_243_101;

/** A database that a newer version of Earshot has migrated: this version must not touch it. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
}

/** The schema is not what this version needs, and the user may not change it. */
export class SchemaBehindError extends Error {
  override name = 'SchemaBehindError';
}

/** Addresses of one database: of the processes, and of the user who owns the tables; null: they are the same. */
export interface DatabaseAddresses {
  databaseUrl: string;
  migrationUrl: string | null;
}

/**
 * Brings the schema up to date where this process may: by the owner's address, or its own where that owns the tables. A
 * process whose user owns nothing makes sure that the schema is the one that it needs.
 * @returns the names of the migrations that ran.
 * @throws NewerDatabaseError, RoleRefusedError; SchemaBehindError with what to run.
 */
export async function prepareSchema({ databaseUrl, migrationUrl }: DatabaseAddresses): Promise<string[]> {
  if (migrationUrl !== null) {
    const ran = await migrate(migrationUrl);
    await admitUser(migrationUrl, userOf(databaseUrl));
    return ran;
  }
  if (await ownsTables(databaseUrl)) return migrate(databaseUrl);
  const behind = await missingMigrations(databaseUrl);
  if (behind.length === 0) return [];
  throw new SchemaBehindError(
    `The database lacks ${behind.length} ${behind.length === 1 ? 'migration' : 'migrations'} (from ${behind[0]} on), and the user of DATABASE_URL owns no tables. Run "earshot-server migrate" (or "node api/migrate.ts") with EARSHOT_MIGRATION_URL, the address of the user who owns them.`,
  );
}

/** Lets a user who owns nothing act as the application's role, and see which migrations have run. */
async function admitUser(ownerUrl: string, user: string): Promise<void> {
  const named = literal(user);
  const grant = `do $$ begin
    execute format('grant select on mikro_orm_migrations to %I', ${named});
    if not pg_has_role(${named}, '${APPLICATION_ROLE}', 'member') then
      execute format('grant ${APPLICATION_ROLE} to %I', ${named});
    end if;
  exception
    -- Somebody who may has done it, or the start of the processes says what is missing.
    when insufficient_privilege then null;
  end $$`;
  await asUser(ownerUrl, (orm) => sql.raw(grant).execute(orm.em.fork().getKysely()));
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

const userOf = (url: string) => decodeURIComponent(new URL(url).username);

/** Also of an empty database, which whoever comes first fills. */
async function ownsTables(url: string): Promise<boolean> {
  return asUser(url, async (orm) => {
    const { rows } = await sql<{ owns: boolean }>`
      select pg_has_role(current_user, relowner, 'usage') as owns from pg_class
      where oid = to_regclass('mikro_orm_migrations')`.execute(orm.em.fork().getKysely());
    return rows[0]?.owns ?? true;
  });
}

async function missingMigrations(url: string): Promise<string[]> {
  return asUser(url, async (orm) => {
    const executing = sql<{ name: string }>`select name from mikro_orm_migrations`.execute(orm.em.fork().getKysely());
    const { rows } = await executing.catch((error: unknown) => {
      if (fieldOf(error, 'code') !== NOT_PERMITTED) throw error;
      throw new SchemaBehindError(
        'The user of DATABASE_URL owns no tables and may not see which migrations have run. Run "earshot-server migrate" (or "node api/migrate.ts") with EARSHOT_MIGRATION_URL, the address of the user who owns them: that lets it.',
      );
    });
    const executed = new Set(rows.map(({ name }) => name));
    const known = await listMigrationNames(orm);
    refuseNewer([...executed], new Set(known));
    return known.filter((name) => !executed.has(name)).toSorted();
  });
}

async function asUser<T>(url: string, work: (orm: Orm) => Promise<T>): Promise<T> {
  const orm = await openOwner(url);
  try {
    return await work(orm);
  } finally {
    await orm.close(true);
  }
}

function refuseNewer(executed: readonly string[], known: ReadonlySet<string>): void {
  const unknown = executed.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new NewerDatabaseError(`The database was made by a newer version of Earshot (it has ${unknown.join(', ')}).`);
}

/**
 * Brings the schema up to date as the user of the address, who owns the tables, under a lock that other starts wait for.
 * @returns the names of the migrations that ran.
 * @throws NewerDatabaseError when the database knows a migration that this version does not have; RoleRefusedError when
 * the application's role is missing and the user may not make it.
 */
export async function migrate(url: string): Promise<string[]> {
  const orm = await openOwner(url);
  try {
    return await orm.em.fork().transactional(async (lockHolder) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(lockHolder.getKysely());
      const executed = await orm.migrator.getExecuted();
      const pending = await orm.migrator.getPending();
      const known = new Set([...(await listMigrationNames(orm)), ...pending.map((entry) => entry.name)]);
      refuseNewer(
        executed.map((entry) => entry.name),
        known,
      );
      const ran = await orm.migrator.up();
      return ran.map((entry) => entry.name);
    });
  } catch (error) {
    // The migration's own sentence says what an administrator must run.
    if (error instanceof Error && NEEDS_ROLE.test(error.message)) throw new RoleRefusedError(error.message);
    throw error;
  } finally {
    await orm.close(true);
  }
}

const NOT_PERMITTED = '42501';
const NEEDS_ROLE = /^The user .* may not create roles/;

/** The schema as its owner sees it. The lock is held on one connection while another migrates. */
export function openOwner(url: string): Promise<Orm> {
  return openOrm(
    {
      url,
      poolMax: 2,
      applicationName: 'earshot-migrate',
      statementTimeoutMs: 0,
      onIdleError: () => {},
    },
    { driver: OwnerDriver },
  );
}

async function listMigrationNames(orm: Orm): Promise<string[]> {
  const { readdir } = await import('node:fs/promises');
  const folder = orm.config.get('migrations').path;
  if (!folder) return [];
  const files = await readdir(folder);
  return files.flatMap((file) => /^(Migration\d+.*)\.[jt]s$/.exec(file)?.[1] ?? []);
}
