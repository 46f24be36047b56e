import type { Pool, PoolConfig } from 'pg';
import { toIso } from './convert.ts';

/** How values of PostgreSQL are read, by the number of their type. Counts, sums and money stay far under 2^53. */
const READERS = new Map<number, (text: string) => unknown>([
  [20 /* bigint */, Number],
  [1700 /* numeric */, Number],
  [1184 /* timestamptz */, toIso],
]);

/** Has each connection of a pool read these types here, and all others as it would. */
export function readHere(pool: Pool): void {
  const options: PoolConfig = pool.options;
  const { types } = options;
  if (!types) throw new Error('The pool was opened without readers of types.');
  options.types = {
    getTypeParser: (oid, format) => READERS.get(oid) ?? types.getTypeParser(oid, format),
  };
}
