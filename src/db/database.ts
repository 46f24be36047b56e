import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { ROWS } from './rows/index.ts';

export type { EntityManager };

/** One pool a process. Take `em()` once per request or activity attempt: it is a fresh unit of work. */
export interface Database {
  orm: MikroORM;
  em(): EntityManager;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** Upper bound of connections of this process. */
  poolMax: number;
  /** Shown by PostgreSQL beside each connection. */
  applicationName: string;
  /** Bound on one statement in milliseconds; 0 for none. */
  statementTimeoutMs: number;
  /** Told when an idle connection is lost; the pool opens another. */
  onIdleError(error: Error): void;
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init({
    clientUrl: options.url,
    entities: ROWS,
    extensions: [Migrator],
    migrations: {
      path: fileURLToPath(new URL('../../migrations', import.meta.url)),
      pathTs: fileURLToPath(new URL('../../migrations', import.meta.url)),
      emit: 'ts',
      snapshot: false,
      silent: true,
      allOrNothing: false,
      transactional: true,
    },
    // Entities declare no functions: those of the hand-written migrations are no difference.
    schemaGenerator: { ignoreRoutines: true },
    pool: { min: 0, max: options.poolMax },
    driverOptions: {
      application_name: options.applicationName,
      statement_timeout: options.statementTimeoutMs,
      onPoolCreated: (pool: Pool) => void pool.on('error', (error) => options.onIdleError(error)),
    },
    forceUtcTimezone: true,
    ensureDatabase: false,
  });
  return {
    orm,
    em: () => orm.em.fork(),
    close: () => orm.close(true),
  };
}
