import { sql } from 'kysely';
import type { EntityManager } from '../../src/db/database.ts';
import type { OwnedDatabase } from './owned-database.ts';
import { untilTrue } from './pipeline.ts';

/** Until somebody waits for what this transaction holds. */
export async function untilSomebodyWaitsFor(database: OwnedDatabase, tx: EntityManager): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.getKysely());
  const waits = sql`select 1 from pg_stat_activity where ${rows[0]?.pid ?? 0} = any(pg_blocking_pids(pid))`;
  await untilTrue(async () => (await waits.execute(database.em().getKysely())).rows.length > 0, 20_000);
}
