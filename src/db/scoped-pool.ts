import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { plannedName } from './planned.ts';
import { scopeStatement } from './scope.ts';
import { ScopedQuery } from './scoped-query.ts';

const BEGINS = /^(begin|start transaction)\b/;
const ENDS = /^(commit|rollback)$/;

/** A process's pool as one workspace sees it: every transaction, and every statement outside of one, has its scope. */
export function scopePool(pool: Pool, workspaceId: string): PostgresPool {
  const scope = scopeStatement(workspaceId);
  return {
    options: pool.options,
    connect: async () => scopeClient(await pool.connect(), scope),
    // The pool is the process's; a workspace only borrows from it.
    end: async () => {},
  };
}

function named(text: string): { name?: string } {
  const name = plannedName(text);
  return name === undefined ? {} : { name };
}

function scopeClient(client: PoolClient, scope: string): PostgresPoolClient {
  let inTransaction = false;
  async function query(text: string, values: readonly unknown[]): Promise<QueryResult> {
    if (inTransaction) {
      if (ENDS.test(text)) inTransaction = false;
      return client.query({ ...named(text), text, values: [...values] });
    }
    if (BEGINS.test(text)) {
      inTransaction = true;
      // Several statements are answered by several results.
      const [begun] = (await client.query(`${text}; ${scope}`)) as unknown as QueryResult[];
      if (!begun) throw new Error('PostgreSQL did not answer the begin of a transaction.');
      return begun;
    }
    return new Promise((resolve, reject) => {
      const callback = (error: Error | undefined, result: QueryResult) => (error ? reject(error) : resolve(result));
      client.query(new ScopedQuery(scope, { ...named(text), text, values: [...values] }, callback));
    });
  }
  return {
    release: () => client.release(),
    // The other form, for cursors, is used by nobody.
    query: query as unknown as PostgresPoolClient['query'],
  };
}
