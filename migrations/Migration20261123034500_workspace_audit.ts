import { Migration } from '@mikro-orm/migrations';

/** The audit log of a workspace, newest first. */
export class Migration20261123034500_workspace_audit extends Migration {
  override name = 'Migration20261123034500_workspace_audit';

  override up(): void {
    this.addSql(`create index "audit_entries_workspace" on "audit_entries" ("workspace_id", "created_at", "id");`);
  }
}
