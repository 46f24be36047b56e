import { Migration } from '@mikro-orm/migrations';

/** What it takes to run tests again and to give back what was not used: approvals, second tries, periods of test calls. */
export class Migration20261121192000_running extends Migration {
  override name = 'Migration20261121192000_running';

  override up(): void {
    this.addSql(`alter table "runs" add "approved_at" timestamptz(3) null;`);
    this.addSql(`create unique index "runs_auto_version" on "runs" ("agent_id", "version") where "trigger" = 'auto';`);
    this.addSql(`alter table "run_cells" add "first_attempt" int not null default 1;`);
    this.addSql(
      `alter table "budget_reservations" add "plays_reserved" int not null default 0, add "counted_in" text[] not null default '{}';`,
    );
  }
}
