import { Migration } from '@mikro-orm/migrations';

/** Deleting a workspace renews no allowance: what it used counts for the next that its maker makes. */
export class Migration20261128093100_left_usage extends Migration {
  override name = 'Migration20261128093100_left_usage';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "left_usage" ("workspace_id" uuid not null, "maker" text not null, "plan_since" timestamptz(3) not null, "periods" jsonb not null, "spent" jsonb not null, "created_at" timestamptz(3) not null default now(), primary key ("workspace_id"));`,
    );
    this.addSql(`create index "left_usage_maker" on "left_usage" ("maker");`);
  }
}
