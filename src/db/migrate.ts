import { setTimeout as pause } from 'node:timers/promises';
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

/** Tables that a migration changes were in use for longer than others should wait for it. */
export class TablesInUseError extends Error {
  override name = 'TablesInUseError';
}

/** Whoever waits for an exclusive lock makes all later ones wait behind it: not for longer than this. */
const LOCK_WITHIN_MS = 5_000;
const PATIENCE = { tries: 12, pauseMs: 5_000 };
const ASK_AGAIN_MS = 250;

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
export function prepareSchema({ databaseUrl, migrationUrl }: DatabaseAddresses): Promise<string[]> {
  if (migrationUrl === null) {
    return asUser(databaseUrl, async (orm) => ((await ownsTables(orm)) ? bringUpToDate(orm) : requireCurrent(orm)));
  }
  return asUser(migrationUrl, async (orm) => {
    const ran = await bringUpToDate(orm);
    await admitUser(orm, decodeURIComponent(new URL(databaseUrl).username));
    return ran;
  });
}

/** Lets a user who owns nothing see which migrations have run, and act as the application's role. */
async function admitUser(orm: Orm, user: string): Promise<void> {
  const connection = orm.em.fork().getKysely();
  await sql`grant select on mikro_orm_migrations to ${sql.id(user)}`.execute(connection);
  const { rows } = await sql<{ isMember: boolean }>`
    select pg_has_role(${user}, ${APPLICATION_ROLE}, 'member') as "isMember"`.execute(connection);
  if (rows[0]?.isMember === true) return;
  try {
    await sql`grant ${sql.id(APPLICATION_ROLE)} to ${sql.id(user)}`.execute(connection);
  } catch (error) {
    // Somebody who may does it, or the start of the processes says what is missing.
    if (fieldOf(error, 'code') !== NOT_PERMITTED) throw error;
  }
}

/** Also of an empty database, which whoever comes first fills. */
async function ownsTables(orm: Orm): Promise<boolean> {
  const { rows } = await sql<{ owns: boolean }>`
    select pg_has_role(current_user, relowner, 'usage') as owns from pg_class
    where oid = to_regclass('mikro_orm_migrations')`.execute(orm.em.fork().getKysely());
  return rows[0]?.owns ?? true;
}

const MIGRATE_AS_OWNER =
  'Run "earshot-server migrate" (or "node api/migrate.ts") with EARSHOT_MIGRATION_URL, the address of the user who owns them';

/** @returns no migrations, as none ran. */
async function requireCurrent(orm: Orm): Promise<string[]> {
  const executed = new Set(await readExecuted(orm));
  const known = await listMigrationNames(orm);
  refuseNewer([...executed], new Set(known));
  const [first, ...more] = known.filter((name) => !executed.has(name)).toSorted();
  if (first === undefined) return [];
  const missing = more.length === 0 ? '1 migration' : `${more.length + 1} migrations`;
  throw new SchemaBehindError(
    `The database lacks ${missing} (from ${first} on), and the user of DATABASE_URL owns no tables. ${MIGRATE_AS_OWNER}.`,
  );
}

async function readExecuted(orm: Orm): Promise<string[]> {
  try {
    const connection = orm.em.fork().getKysely();
    const { rows } = await sql<{ name: string }>`select name from mikro_orm_migrations`.execute(connection);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (fieldOf(error, 'code') !== NOT_PERMITTED) throw error;
    throw new SchemaBehindError(
      `The user of DATABASE_URL owns no tables and may not see which migrations have run. ${MIGRATE_AS_OWNER}: that lets it.`,
    );
  }
}

async function asUser<T>(url: string, work: (orm: Orm) => Promise<T>): Promise<T> {
  const orm = await openOwner(url, LOCK_WITHIN_MS);
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
export function migrate(url: string): Promise<string[]> {
  return asUser(url, bringUpToDate);
}

async function bringUpToDate(orm: Orm): Promise<string[]> {
  try {
    return await alone(orm, async () => {
      const executed = (await orm.migrator.getExecuted()).map(({ name }) => name);
      const pending = (await orm.migrator.getPending()).map(({ name }) => name);
      refuseNewer(executed, new Set([...(await listMigrationNames(orm)), ...pending]));
      await whileInUse(() => orm.migrator.up());
      return pending;
    });
  } catch (error) {
    // The migration's own sentence says what an administrator must run.
    if (error instanceof Error && NEEDS_ROLE.test(error.message)) throw new RoleRefusedError(error.message);
    throw error;
  }
}

/**
 * Holds the lock of migrations meanwhile. Neither who holds it nor who waits for it has a statement or a transaction
 * open: its snapshot would be one for whose end `create index concurrently` waits, so that both waited for ever.
 */
export async function alone<Result>(orm: Orm, work: () => Promise<Result>): Promise<Result> {
  return orm.em
    .fork()
    .getKysely()
    .connection()
    .execute(async (holder) => {
      const takes = sql<{ taken: boolean }>`select pg_try_advisory_lock(${MIGRATION_LOCK}::bigint) as taken`;
      while ((await takes.execute(holder)).rows[0]?.taken !== true) await pause(ASK_AGAIN_MS);
      try {
        return await work();
      } finally {
        // A connection that was lost has no lock any more.
        await sql`select pg_advisory_unlock(${MIGRATION_LOCK}::bigint)`.execute(holder).catch(() => {});
      }
    });
}

/** Does it again while others use the tables; what it had done before it was refused is not done twice. */
export async function whileInUse(work: () => Promise<unknown>, { tries, pauseMs } = PATIENCE): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (fieldOf(error, 'code') !== LOCK_NOT_AVAILABLE) throw error;
      if (left === 0) {
        throw new TablesInUseError(
          `Tables that a migration changes were in use at each of ${tries} tries, so it was put off and changed nothing. End the transactions that stay open on the database for long (pg_stat_activity shows them), then start again.`,
        );
      }
    }
    await pause(pauseMs);
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
const NOT_PERMITTED = '42501';
const NEEDS_ROLE = /^The user .* may not create roles/;

/** The schema as its owner sees it. The lock is held on one connection while another migrates. */
export function openOwner(url: string, lockTimeoutMs = 0): Promise<Orm> {
  return openOrm(
    {
      url,
      poolMax: 2,
      applicationName: 'earshot-migrate',
      statementTimeoutMs: 0,
      lockTimeoutMs,
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
