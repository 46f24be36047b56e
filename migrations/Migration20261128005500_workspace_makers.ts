import { Migration } from '@mikro-orm/migrations';

/** A workspace counts for the person who made it, whoever its members are; so far that was its first member. */
export class Migration20261128005500_workspace_makers extends Migration {
  override name = 'Migration20261128005500_workspace_makers';

  override up(): void | Promise<void> {
    this.addSql(`alter table "workspaces" add "made_by" uuid null;`);
    this.addSql(`
      update "workspaces" as w set "made_by" = (
        select m.person_id from memberships m where m.workspace_id = w.id order by m.created_at, m.person_id limit 1
      ) where not w.is_system;`);
  }
}
