import type { Configuration } from '@mikro-orm/core';
import { PostgreSqlDriver, PostgreSqlSchemaHelper } from '@mikro-orm/postgresql';

/** Keys that a migration adds by hand: rows are told by the ids in them, so the entities have no relations. */
const BY_HAND = /_fence$/;

/** The driver of the tables' owner, to whom the keys of the fence are no difference between entities and schema. */
export class OwnerDriver extends PostgreSqlDriver {
  constructor(config: Configuration) {
    super(config);
    const helper = this.platform.getSchemaHelper();
    if (!(helper instanceof PostgreSqlSchemaHelper))
      throw new Error('The driver has no helper for the schema of PostgreSQL.');
    const all = helper.getAllForeignKeys.bind(helper);
    helper.getAllForeignKeys = async (...asked: Parameters<typeof all>) => {
      const tables = await all(...asked);
      for (const keys of Object.values(tables)) {
        for (const name of Object.keys(keys)) if (BY_HAND.test(name)) delete keys[name];
      }
      return tables;
    };
  }
}
