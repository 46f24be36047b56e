import { Migration } from '@mikro-orm/migrations';

/** Until when an account of a platform wants no more requests, and when which versions of an agent were taken. */
export class Migration20261125234900_account_polls extends Migration {
  override name = 'Migration20261125234900_account_polls';

  override up(): void {
    this.addSql(`alter table "agents" add column "version_mark" text null;`);
    this.addSql(`alter table "agents" add column "versions_taken_at" timestamptz(3) null;`);
    this.addSql(`alter table "platform_connections" add column "limited_until" timestamptz(3) null;`);
    this.addSql(`alter table "platform_connections" add column "live_limited_until" timestamptz(3) null;`);
  }
}
