import { type Database, type DatabaseOptions, type EntityManager, openDatabase } from '../../src/db/database.ts';
import { openOwner } from '../../src/db/migrate.ts';
import type { Orm } from '../../src/db/orm.ts';

/** The application's pool, and beside it the eyes of the owner: a test looks at every workspace and seeds as it likes. */
export interface OwnedDatabase extends Database {
  url: string;
  owner: Orm;
  /** An EntityManager of the owner. What is tested goes through `within`, as in production. */
  em(): EntityManager;
}

/** Opens a migrated database. The user of the address must be a superuser, whom row security does not hold. */
export async function openOwnedDatabase(options: DatabaseOptions): Promise<OwnedDatabase> {
  const [database, owner] = await Promise.all([openDatabase(options), openOwner(options.url)]);
  return {
    ...database,
    url: options.url,
    owner,
    em: () => owner.em.fork(),
    async close() {
      await Promise.all([database.close(), owner.close(true)]);
    },
  };
}
