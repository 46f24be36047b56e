import { Migration } from '@mikro-orm/migrations';

/** Up to when the ended calls of an agent are accounted for: what it lags behind its platform, whatever still goes on. */
export class Migration20261126020000_polled_until extends Migration {
  override name = 'Migration20261126020000_polled_until';

  override up(): void {
    this.addSql(`alter table "agents" add column "polled_until" timestamptz(3) null;`);
  }
}
