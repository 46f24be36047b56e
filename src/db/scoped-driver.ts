import { type Configuration, EventType } from '@mikro-orm/core';
import { EntityManager, PostgreSqlConnection, PostgreSqlDriver } from '@mikro-orm/postgresql';
import type { GetKyselyOptions } from '@mikro-orm/sql';
import { Kysely, PostgresDialect } from 'kysely';
import type { Pool, PoolConfig, QueryResultRow } from 'pg';
import { SCOPE_SETTING } from './scope.ts';
import { scopePool } from './scoped-pool.ts';

type BeginOptions = NonNullable<Parameters<PostgreSqlConnection['begin']>[0]>;
type PoolOptions = PoolConfig & { onPoolCreated?(pool: Pool): void };
type Session = BeginOptions['sessionContext'];

export interface PreparedStatement {
  /** Names the text: no other text has it. */
  name: string;
  text: string;
  values: unknown[];
}

/** Kept so that a request does not build one anew; forgetting them costs nothing but that. */
const WORKSPACES_KEPT = 1_000;

/** The driver, but that the scope of an EntityManager's session travels with its statements instead of before them. */
export class ScopedDriver extends PostgreSqlDriver {
  override readonly connection: ScopedConnection;

  constructor(config: Configuration) {
    super(config);
    this.connection = new ScopedConnection(config);
  }
}

class ScopedConnection extends PostgreSqlConnection {
  readonly #workspaces = new Map<string, Kysely<unknown>>();
  #pool: Pool | null = null;

  override createKyselyDialect(overrides: PoolOptions): PostgresDialect {
    const options: PoolOptions = {
      ...overrides,
      onPoolCreated: (pool) => {
        this.#pool = pool;
        overrides.onPoolCreated?.(pool);
      },
    };
    return super.createKyselyDialect(options);
  }

  /** The pool as one workspace sees it. */
  within(workspaceId: string): Kysely<unknown> {
    const known = this.#workspaces.get(workspaceId);
    if (known) return known;
    // The pool is made with the first client.
    this.getClient();
    if (!this.#pool) throw new Error('The database was not opened.');
    if (this.#workspaces.size >= WORKSPACES_KEPT) this.#workspaces.clear();
    const made = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: scopePool(this.#pool, workspaceId) }) });
    this.#workspaces.set(workspaceId, made);
    return made;
  }

  /** Sends a statement that each connection parses and plans once, by its name. */
  async prepared<Row extends QueryResultRow>(statement: PreparedStatement): Promise<Row[]> {
    if (!this.#pool) await this.ensureConnection();
    this.getClient();
    if (!this.#pool) throw new Error('The database was not opened.');
    const { rows } = await this.#pool.query<Row>(statement);
    return rows;
  }

  /** Begins and sets the scope in one trip, where the ORM takes two. */
  override async begin(options: BeginOptions = {}): ReturnType<PostgreSqlConnection['begin']> {
    const workspaceId = scopeOf(options.sessionContext);
    if (options.ctx || workspaceId === null) return super.begin(options);
    await this.ensureConnection();
    await options.eventBroadcaster?.dispatchEvent(EventType.beforeTransactionStart);
    const builder = this.within(workspaceId).startTransaction();
    const transaction = await (options.isolationLevel
      ? builder.setIsolationLevel(options.isolationLevel)
      : builder
    ).execute();
    await options.eventBroadcaster?.dispatchEvent(EventType.afterTransactionStart, transaction);
    return transaction;
  }
}

/** An EntityManager whose Kysely keeps the scope outside of transactions too. */
export class ScopedEntityManager extends EntityManager {
  // The parameters are the ORM's own.
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  override getKysely<TDB = undefined, TOptions extends GetKyselyOptions = GetKyselyOptions>(options?: TOptions) {
    const bound = super.getKysely<TDB, TOptions>(options);
    const workspaceId = scopeOf(this.getSessionContext());
    if (workspaceId === null || this.isInTransaction()) return bound;
    // The tables that a caller knows of are types alone.
    return scoped(this.getConnection()).within(workspaceId) as unknown as typeof bound;
  }
}

/**
 * For the few statements that nearly every request sends: planning them anew takes as long as running them. Outside of
 * transactions and without a workspace only.
 */
export function prepared<Row extends QueryResultRow>(em: EntityManager, statement: PreparedStatement): Promise<Row[]> {
  if (em.isInTransaction() || scopeOf(em.getSessionContext()) !== null) {
    throw new Error(`The statement ${statement.name} was sent with a scope, which it would lose.`);
  }
  return scoped(em.getConnection()).prepared<Row>(statement);
}

function scoped(connection: unknown): ScopedConnection {
  if (!(connection instanceof ScopedConnection)) throw new Error('The database was opened by another driver.');
  return connection;
}

function scopeOf(session: Session): string | null {
  const set = session?.variables?.[SCOPE_SETTING];
  return typeof set === 'string' ? set : null;
}
