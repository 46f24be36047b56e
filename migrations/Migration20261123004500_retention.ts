import { Migration } from '@mikro-orm/migrations';

/** How long calls are kept, and which of them have lost their words. */
export class Migration20261123004500_retention extends Migration {
  override name = 'Migration20261123004500_retention';

  override up(): void {
    this.addSql(`alter table "workspaces" add column "retention" jsonb not null default '{}';`);
    this.addSql(`alter table "agents" add column "retention" jsonb not null default '{}';`);
    this.addSql(`alter table "calls" add column "words_gone" boolean not null default false;`);
    this.addSql(`create index "calls_age" on "calls" ("agent_id", "words_gone", "created_at");`);
    this.addSql(`drop index "raw_payloads_stored";`);
    this.addSql(`create index "raw_payloads_age" on "raw_payloads" ("agent_id", "stored_at");`);
  }
}
