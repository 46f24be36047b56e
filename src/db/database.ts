import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { fieldOf } from '../domain/json.ts';
import { type OrmOptions, openOrm } from './orm.ts';
import { APPLICATION_ROLE, requireId, SCOPE_SETTING } from './scope.ts';
import { ScopedDriver, ScopedEntityManager } from './scoped-driver.ts';

export type { EntityManager };

/**
 * One pool a process, whose connections all have the application's role, which PostgreSQL's row security holds. Take one
 * EntityManager a request or activity attempt: it is a fresh unit of work.
 */
export interface Database {
  /** The EntityManager of one workspace: sees its rows and those of the demo, changes its own only. */
  within(workspaceId: string): EntityManager;
  /** One without a workspace, for `src/db/system`: sees no row of any. */
  unscoped(): EntityManager;
  /** What the pool holds now. */
  connections(): { busy: number; idle: number; waiting: number };
  /** @throws when nobody answers; RoleRefusedError where no waiting helps, RoleMissingError before the migration. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export type DatabaseOptions = OrmOptions;

/** The user of `DATABASE_URL` may not act as the application's role. */
export class RoleRefusedError extends Error {
  override name = 'RoleRefusedError';
}

/** The database has not been migrated yet, or by a version before the role. */
class RoleMissingError extends Error {
  override name = 'RoleMissingError';
}

/** Opens a database that has been migrated. Connections are made when they are first needed. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  let pool: Pool | null = null;
  const orm = await openOrm(options, {
    onPool(made) {
      pool = made;
    },
    driver: ScopedDriver,
    entityManager: ScopedEntityManager,
    onConnect: takeRole,
  });
  return {
    within(workspaceId) {
      return orm.em.fork({ session: { variables: { [SCOPE_SETTING]: requireId(workspaceId) } } });
    },
    unscoped: () => orm.em.fork(),
    connections() {
      const { totalCount = 0, idleCount = 0, waitingCount = 0 } = pool ?? {};
      return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    },
    async check() {
      await sql`select 1`.execute(orm.em.fork().getKysely());
    },
    close: () => orm.close(true),
  };
}

/** A connection that cannot take the role on is closed before anybody gets it. */
async function takeRole(client: PoolClient): Promise<void> {
  try {
    await client.query(`set role ${APPLICATION_ROLE}`);
  } catch (error) {
    const code = fieldOf(error, 'code');
    if (code === UNKNOWN_ROLE) {
      const words = `The database has no role ${APPLICATION_ROLE}: it has not been migrated. The API does that when it starts.`;
      throw new RoleMissingError(words, { cause: error });
    }
    if (code !== NOT_PERMITTED) throw error;
    throw new RoleRefusedError(
      `The user of DATABASE_URL may not act as the role ${APPLICATION_ROLE}, under which Earshot reads and writes so that PostgreSQL keeps workspaces apart. Let an administrator of the database run "grant ${APPLICATION_ROLE} to" with the name of that user, then start again.`,
      { cause: error },
    );
  }
}

const UNKNOWN_ROLE = '22023';
const NOT_PERMITTED = '42501';
