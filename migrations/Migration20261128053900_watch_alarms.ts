import { Migration } from '@mikro-orm/migrations';

/** The limit of a watch, beside growth over its own past. */
export class Migration20261128053900_watch_alarms extends Migration {
  override name = 'Migration20261128053900_watch_alarms';

  override up(): void {
    this.addSql(`alter table "watches" add "alarm" jsonb null;`);
  }
}
