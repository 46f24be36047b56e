import { Migration } from '@mikro-orm/migrations';

/** Processes say which version they are, what is set up there, and what time it is for them. */
export class Migration20261128132000_process_standings extends Migration {
  override name = 'Migration20261128132000_process_standings';

  override up(): void | Promise<void> {
    this.addSql(`alter table "processes_seen" add "standing" jsonb null;`);
  }
}
