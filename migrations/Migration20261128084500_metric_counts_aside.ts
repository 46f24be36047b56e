import { Migration } from '@mikro-orm/migrations';

/** Calls that are nobody's failure, beside the figures of how calls end. */
export class Migration20261128084500_metric_counts_aside extends Migration {
  override name = 'Migration20261128084500_metric_counts_aside';

  override up(): void {
    this.addSql(`alter table "metric_counts" add "aside" int not null default 0;`);
  }
}
