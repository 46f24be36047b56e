import { Migration } from '@mikro-orm/migrations';

/** The outbox and the calls that a platform's events announced are called what they are. */
export class Migration20261122183000_outbox_entries extends Migration {
  override name = 'Migration20261122183000_outbox_entries';

  override up(): void {
    this.addSql(`alter table "start_orders" rename to "outbox_entries";`);
    this.addSql(`alter table "outbox_entries" rename constraint "start_orders_pkey" to "outbox_entries_pkey";`);
    this.addSql(`alter index "start_orders_open" rename to "outbox_entries_open";`);
    this.addSql(`alter table "told_calls" rename to "announced_calls";`);
    this.addSql(`alter table "announced_calls" rename constraint "told_calls_pkey" to "announced_calls_pkey";`);
    this.addSql(
      `alter table "announced_calls" rename constraint "told_calls_natural_key" to "announced_calls_natural_key";`,
    );
  }
}
