import pg from 'pg';

/**
 * One statement with its scope, in one trip: both are sent before the sync that ends PostgreSQL's implicit transaction,
 * so that the scope lasts exactly as long as the statement. What the first answers is dropped.
 */
export class ScopedQuery extends pg.Query {
  /** Beyond the published types, as `Handlers` are. */
  declare name: string | undefined;
  readonly #scope: string;
  #isScopeSet = false;
  #ownName: string | undefined;

  /** @param scope a statement without parameters. */
  constructor(
    scope: string,
    statement: { name?: string; text: string; values: unknown[] },
    callback: (error: Error | undefined, result: pg.QueryResult) => void,
  ) {
    // Only the extended protocol takes two statements before one sync; the published types know of one protocol.
    const extended = { ...statement, queryMode: 'extended' };
    super(extended, callback);
    this.#scope = scope;
  }

  override submit = (connection: pg.Connection): void => {
    connection.stream.cork();
    try {
      connection.parse({ name: '', text: this.#scope, types: [] }, true);
      connection.bind({}, true);
      connection.execute({}, true);
      pg.Query.prototype.submit.call(this, connection);
      // The driver notes as parsed what an answer names: the first one is that of the scope, which has no name.
      this.#ownName = this.name;
      this.name = undefined;
    } finally {
      connection.stream.uncork();
    }
  };

  handleDataRow(message: unknown): void {
    if (this.#isScopeSet) base.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isScopeSet) base.handleCommandComplete.call(this, message, connection);
    this.#isScopeSet = true;
    this.name = this.#ownName;
  }
}

/** What the driver has beyond its published types. */
interface Handlers {
  handleDataRow(this: pg.Query, message: unknown): void;
  handleCommandComplete(this: pg.Query, message: unknown, connection: pg.Connection): void;
}
const base = pg.Query.prototype as unknown as Handlers;
