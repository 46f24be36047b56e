import { Migration } from '@mikro-orm/migrations';

/**
 * A call whose record can't tell how it ended has no outcome. Its links and changes hold none either; in sums, whose keys
 * can't be null, the empty text stands for it.
 */
export class Migration20261122091000_unknown_outcome extends Migration {
  override name = 'Migration20261122091000_unknown_outcome';

  override up(): void {
    this.addSql(`alter table "call_codes" alter column "outcome" drop not null;`);
    this.addSql(`alter table "issue_calls" alter column "outcome" drop not null;`);
    this.addSql(`alter table "shadow_readings" alter column "outcome_before" drop not null;`);
    this.addSql(`alter table "shadow_readings" alter column "outcome_after" drop not null;`);
    this.addSql(`alter table "metric_counts" drop constraint "metric_counts_outcome_check";`);
    this.addSql(
      `alter table "metric_counts" add constraint "metric_counts_outcome_check" check ("outcome" in ('resolved', 'unresolved', 'transferred', 'abandoned', 'no_contact', ''));`,
    );
  }
}
