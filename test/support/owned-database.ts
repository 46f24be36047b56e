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

/**
 * Lets one that was closed go on with another database: one that is opened anew takes two tenths of a second to learn of
 * all entities. Nothing of the first may be at work any more.
 */
export function moveTo(closed: OwnedDatabase, url: string): OwnedDatabase {
  for (const em of [closed.unscoped(), closed.owner.em]) {
    const { config } = em;
    const driver = em.getDriver();
    config.set('clientUrl', url);
    config.set('dbName', new URL(url).pathname.slice(1));
    config.set('driverOptions', { ...config.get('driverOptions'), connectionString: url });
    // A new one, so that no client of the first is left in it.
    const Connection = driver.getConnection().constructor as new (of: typeof config) => object;
    Object.assign(driver, { connection: new Connection(config) });
    driver.setMetadata(em.getMetadata());
  }
  return { ...closed, url };
}
