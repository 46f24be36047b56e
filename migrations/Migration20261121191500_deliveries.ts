import { Migration } from '@mikro-orm/migrations';

/**
 * Rounds of a delivery that was sent again, what became of those whose address was deleted, the event of an address that
 * was switched off, and since when an import has waited without getting any further.
 */
export class Migration20261121191500_deliveries extends Migration {
  override name = 'Migration20261121191500_deliveries';

  override up(): void {
    this.addSql(
      `alter table "webhook_deliveries" add "again" int not null default 0, add "round_tries" int not null default 0, add "round_began_at" timestamptz(3) not null default now();`,
    );
    this.addSql(`alter table "webhook_deliveries" drop constraint "webhook_deliveries_state_check";`);
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_state_check" check ("state" in ('pending', 'delivered', 'failed', 'dropped'));`,
    );
    this.addSql(
      `create index "webhook_deliveries_pending" on "webhook_deliveries" ("webhook_id", "next_try_at") where "state" = 'pending';`,
    );
    this.addSql(`alter table "workspace_events" drop constraint "workspace_events_kind_check";`);
    this.addSql(
      `alter table "workspace_events" add constraint "workspace_events_kind_check" check ("kind" in ('import.progress', 'import.finished', 'issues.changed', 'issue.opened', 'issue.changed', 'issue.resolved', 'issue.regressed', 'issue.spiked', 'version.new', 'webhook.off'));`,
    );
    this.addSql(`alter table "imports" add "stuck_since" timestamptz(3) null;`);
  }
}
