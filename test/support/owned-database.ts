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
  const [database, owner] = await Promise.all([openDatabase(options), takeOwner(options.url)]);
  let isOpen = true;
  return {
    ...database,
    url: options.url,
    owner,
    em() {
      if (!isOpen) throw new Error('The database of the test was closed, and its owner may be at another by now.');
      return owner.em.fork();
    },
    async close() {
      const gives = isOpen;
      isOpen = false;
      await Promise.all([database.close(), gives && giveBack(owner)]);
    },
  };
}

/** Of databases that were closed: one that is made anew takes a tenth of a second to learn of all entities. */
const idle: Orm[] = [];

async function takeOwner(url: string): Promise<Orm> {
  const owner = idle.pop();
  if (!owner) return openOwner(url);
  owner.config.set('driverOptions', { ...owner.config.get('driverOptions'), connectionString: url });
  await owner.reconnect({ clientUrl: url, dbName: new URL(url).pathname.slice(1) });
  return owner;
}

async function giveBack(owner: Orm): Promise<void> {
  await owner.em.getDriver().close(true);
  idle.push(owner);
}
