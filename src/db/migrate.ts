import { sql } from 'kysely';
import { RoleRefusedError } from './database.ts';
import { type Orm, openOrm } from './orm.ts';
import { OwnerDriver } from './owner-driver.ts';

/** Any number; the same for every process, so that two starts at once migrate one after the other. */
const MIGRATION_LOCK = 7_243_101;

/** A database that a newer version of Earshot has migrated: this version must not touch it. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabaseError';
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
      const unknown = executed.map((entry) => entry.name).filter((name) => !known.has(name));
      if (unknown.length > 0) {
        throw new NewerDatabaseError(
          `The database was made by a newer version of Earshot (it has ${unknown.join(', ')}).`,
        );
      }
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
