import pg from 'pg';

/**
 * One statement with its scope, in one trip: both are sent before the sync that ends PostgreSQL's implicit transaction,
 * so that the scope lasts exactly as long as the statement. What the first answers is dropped.
 */
export class ScopedQuery extends pg.Query {
  readonly #scope: string;
  #isScopeSet = false;
  #ownName: string | undefined;

  /** @param scope a statement without parameters. */
  constructor(
    scope: string,
    statement: { name?: string; text: string; values: unknown[] },
    callback: (error: Error | undefined, result: pg.QueryResult) => void,
  ) {
    // Only the extended protocol takes two statements before one sync.
    super({ ...statement, queryMode: 'extended' } as pg.QueryConfig, callback as never);
    this.#scope = scope;
  }

  override submit = (connection: pg.Connection): void => {
    const wire = connection as unknown as Wire;
    wire.stream.cork();
    try {
      wire.parse({ text: this.#scope });
      wire.bind({});
      wire.execute({});
      pg.Query.prototype.submit.call(this, connection);
      // The driver notes as parsed what an answer names: the first one is that of the scope, which has no name.
      const { name } = this as Named;
      this.#ownName = name;
      (this as Named).name = undefined;
    } finally {
      wire.stream.uncork();
    }
  };

  handleDataRow(message: unknown): void {
    if (this.#isScopeSet) base.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#isScopeSet) base.handleCommandComplete.call(this, message, connection);
    this.#isScopeSet = true;
    (this as Named).name = this.#ownName;
  }
}

/** What the driver has beyond its published types. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parse(statement: { text: string }): void;
  bind(portal: object): void;
  execute(portal: object): void;
}

interface Named {
  name?: string | undefined;
}

interface Handlers {
  handleDataRow(this: pg.Query, message: unknown): void;
  handleCommandComplete(this: pg.Query, message: unknown, connection: pg.Connection): void;
}
const base = pg.Query.prototype as unknown as Handlers;
