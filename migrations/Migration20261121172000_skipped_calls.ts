import { Migration } from '@mikro-orm/migrations';

/** Calls that a person parked, and the event of a configuration that went live. */
export class Migration20261121172000_skipped_calls extends Migration {
  override name = 'Migration20261121172000_skipped_calls';

  override up(): void {
    this.addSql(`alter table "import_failures" add "is_skipped" boolean not null default false;`);
    this.addSql(`alter table "workspace_events" drop constraint "workspace_events_kind_check";`);
    this.addSql(
      `alter table "workspace_events" add constraint "workspace_events_kind_check" check ("kind" in ('import.progress', 'import.finished', 'issues.changed', 'issue.opened', 'issue.changed', 'issue.resolved', 'issue.regressed', 'issue.spiked', 'version.new'));`,
    );
  }
}
