import { Migration } from '@mikro-orm/migrations';

/** People who watch a workspace hear of its runs. */
export class Migration20261121193000_run_events extends Migration {
  override name = 'Migration20261121193000_run_events';

  override up(): void {
    this.addSql(`alter table "workspace_events" drop constraint "workspace_events_kind_check";`);
    this.addSql(
      `alter table "workspace_events" add constraint "workspace_events_kind_check" check ("kind" in ('import.progress', 'import.finished', 'issues.changed', 'issue.opened', 'issue.changed', 'issue.resolved', 'issue.regressed', 'issue.spiked', 'version.new', 'webhook.off', 'run.changed'));`,
    );
  }
}
