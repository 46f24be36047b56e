import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { fieldOf } from '../domain/json.ts';
import { RoleRefusedError } from './database.ts';
import { type Orm, openOrm } from './orm.ts';
import { OwnerDriver } from './owner-driver.ts';
import { behind, knownMigrations, lookAtSchema, refuseNewer } from './schema.ts';
import { decideSchemaFit } from './schema-fit.ts';
import { APPLICATION_ROLE } from './scope.ts';

/** Any number; the same for every process, so that two starts at once migrate one after the other. */
const MIGRATION_LOCK = 7_243_101;

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
export async function prepareSchema({ databaseUrl, migrationUrl }: DatabaseAddresses): Promise<string[]> {
  if (migrationUrl === null) {
    const { owns, fit } = await lookAtSchema(databaseUrl);
    if (fit.is === 'fits') return [];
    if (!owns) throw behind(fit.missing, owns);
    return migrate(databaseUrl);
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

async function asUser<T>(url: string, work: (orm: Orm) => Promise<T>): Promise<T> {
  const orm = await openOwner(url, LOCK_WITHIN_MS);
  try {
    return await work(orm);
  } finally {
    await orm.close(true);
  }
}

/**
 * Brings the schema up to date as the user of the address, who owns the tables, under a lock that other starts wait for.
 * @returns the names of the migrations that ran.
 * @throws NewerDatabaseError where this version can't work on what is there; RoleRefusedError when
 * the application's role is missing and the user may not make it.
 */
export function migrate(url: string): Promise<string[]> {
  return asUser(url, bringUpToDate);
}

async function bringUpToDate(orm: Orm): Promise<string[]> {
  try {
    return await alone(orm, async () => {
      const executed = (await orm.migrator.getExecuted()).map(({ name }) => name);
      const fit = refuseNewer(decideSchemaFit(executed, await knownMigrations()));
      if (fit.is === 'fits') return [];
      await whileInUse(() => orm.migrator.up());
      return fit.missing;
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
