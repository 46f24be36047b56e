import { Migration } from '@mikro-orm/migrations';

/** From when an account of a platform may be asked again, where the operator bounds how often it is asked. */
export class Migration20261126003000_request_budget extends Migration {
  override name = 'Migration20261126003000_request_budget';

  override up(): void {
    this.addSql(`alter table "platform_connections" add column "next_request_at" timestamptz(3) null;`);
  }
}
