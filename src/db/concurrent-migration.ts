import { Migration } from '@mikro-orm/migrations';

/**
 * A migration whose statements commit one by one, as those that keep nobody out of a table have to. One that was stopped
 * runs again from its beginning, so each statement bears to be run twice.
 */
export abstract class ConcurrentMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /**
   * @param definition what follows the name, such as `on "calls" ("agent_id")`.
   * An index that was begun before is there, invalid, and makes way. It waits for whoever writes as long as it takes,
   * because nobody waits for it.
   */
  protected addIndex(name: string, definition: string): void {
    this.addSql('set lock_timeout = 0;');
    this.addSql(`drop index concurrently if exists "${name}";`);
    this.addSql(`create index concurrently "${name}" ${definition};`);
    this.addSql('reset lock_timeout;');
  }
}
