import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import type { Pool, PoolClient } from 'pg';
import { isTracing } from '../tracing/tracing.ts';
import { ROWS } from './entities.ts';
import { ForwardGenerator } from './forward-generator.ts';
import { readHere } from './readers.ts';
import { traceStatements } from './traced-statements.ts';

export interface OrmOptions {
  url: string;
  /** Upper bound of connections of this process. */
  poolMax: number;
  /** Shown by PostgreSQL beside each connection. */
  applicationName: string;
  /** Bound on one statement in milliseconds, from which those on locks, on idle transactions and on silence follow; 0 for none. */
  statementTimeoutMs: number;
  /** Another bound on waiting for a lock than the one that follows from it. */
  lockTimeoutMs?: number;
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

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));

/** For a free connection of the pool, or a new one: a server that is reached answers far sooner. */
const CONNECT_WITHIN_MS = 30_000;
/** A new connection plans anew all that one at work has planned. */
const IDLE_MS = 300_000;
/** How long after the server should have ended a statement its silence means that it is out of reach. */
const SILENCE_MS = 2_000;

/** Bounds that follow from that on a statement; none where there is none. */
function boundsOf({ statementTimeoutMs, lockTimeoutMs }: OrmOptions) {
  return {
    statement_timeout: statementTimeoutMs,
    // Sooner than the statement's own, so that whoever waits is told what for.
    lock_timeout: lockTimeoutMs ?? Math.round(statementTimeoutMs * 0.8),
    idle_in_transaction_session_timeout: statementTimeoutMs * 4,
    keepAlive: true,
  };
}

/**
 * Gives a connection up on which nothing came for longer than the server lets a statement run: packets that are dropped
 * on the way would hold whoever waits for an answer for as long as the network's own patience.
 */
function giveUpOnSilence(client: PoolClient, statementTimeoutMs: number): void {
  if (statementTimeoutMs === 0) return;
  // The driver keeps its connection there, beyond its published types.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.setTimeout(statementTimeoutMs + SILENCE_MS, () => {
    stream.destroy(new Error('Connection terminated: PostgreSQL did not answer.'));
  });
}

export function openOrm(options: OrmOptions, { onConnect, onPool, ...parts }: OrmParts = {}): Promise<Orm> {
  return MikroORM.init({
    ...parts,
    clientUrl: options.url,
    entities: ROWS,
    extensions: [Migrator],
    migrations: {
      path: MIGRATIONS_FOLDER,
      pathTs: MIGRATIONS_FOLDER,
      emit: 'ts',
      generator: ForwardGenerator,
      snapshot: false,
      silent: true,
      allOrNothing: false,
      transactional: true,
    },
    // Entities declare no functions: those of the hand-written migrations are no difference.
    schemaGenerator: { ignoreRoutines: true, ignoreTriggers: true },
    pool: { min: 0, max: options.poolMax, idleTimeoutMillis: IDLE_MS },
    driverOptions: {
      // The ORM reads host, user and database of an address, and leaves out what it says of TLS.
      connectionString: options.url,
      application_name: options.applicationName,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      ...boundsOf(options),
      onPoolCreated(pool: Pool) {
        readHere(pool);
        pool.on('connect', (client) => {
          giveUpOnSilence(client, options.statementTimeoutMs);
          if (isTracing()) traceStatements(client);
        });
        pool.on('error', (error) => options.onIdleError(error));
        onPool?.(pool);
      },
      ...(onConnect ? { onConnect } : {}),
    },
    forceUtcTimezone: true,
    ensureDatabase: false,
  });
}
