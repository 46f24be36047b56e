import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import type { Pool, PoolClient } from 'pg';
import { ROWS } from './entities.ts';
import { readHere } from './readers.ts';

export interface OrmOptions {
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

export interface OrmParts extends Pick<Options, 'driver' | 'entityManager'> {
  /** Prepares each new connection before anybody gets it. */
  onConnect?(client: PoolClient): Promise<void>;
  /** Told of the pool when the first connection is needed. */
  onPool?(pool: Pool): void;
}

export type Orm = MikroORM;

export function openOrm(options: OrmOptions, { onConnect, onPool, ...parts }: OrmParts = {}): Promise<Orm> {
  return MikroORM.init({
    ...parts,
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
      onPoolCreated(pool: Pool) {
        readHere(pool);
        pool.on('error', (error) => options.onIdleError(error));
        onPool?.(pool);
      },
      ...(onConnect ? { onConnect } : {}),
    },
    forceUtcTimezone: true,
    ensureDatabase: false,
  });
}
