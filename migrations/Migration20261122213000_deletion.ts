import { Migration } from '@mikro-orm/migrations';

/** Agents and workspaces that are erased whole: an agent is out of reach from the moment on that it is asked for. */
export class Migration20261122213000_deletion extends Migration {
  override name = 'Migration20261122213000_deletion';

  override up(): void {
    this.addSql(`alter table "agents" add column "erasing" boolean not null default false;`);
    this.addSql(`alter table "erasures" alter column "agent_id" drop not null;`);
    this.addSql(`alter table "erasures" drop constraint "erasures_scope_check";`);
    this.addSql(
      `alter table "erasures" add constraint "erasures_scope_check" check ("scope" in ('calls', 'caller', 'agent', 'workspace'));`,
    );
    this.addSql(`create index "erasures_workspace" on "erasures" ("workspace_id", "created_at", "id");`);
  }
}
