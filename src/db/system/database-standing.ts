import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

export interface DatabaseStanding {
  version: string;
  bytes: number;
  /** Of all clients, and how many it takes. */
  connections: number;
  connectionsAtMost: number;
  at: string;
}

/** Of its tables, as the application's role may not ask for the size of the database. */
export async function readDatabaseStanding(em: EntityManager): Promise<DatabaseStanding> {
  const { rows } = await sql<DatabaseStanding>`select
    current_setting('server_version') as version,
    (select sum(pg_total_relation_size(oid))::float8 from pg_class where relkind = 'r') as bytes,
    (select count(*)::int from pg_stat_activity where datname is not null) as connections,
    current_setting('max_connections')::int as connections_at_most,
    clock_timestamp()::timestamptz(3) as at`.execute(db(em));
  const [row] = rows;
  if (row === undefined) throw new Error('The database said nothing of itself.');
  return row;
}
