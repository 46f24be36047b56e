import { Migration } from '@mikro-orm/migrations';

/** Connections that are looked at before anything is imported, and the brief that a person approves. Keys in use have shown that they work. */
export class Migration20261121165000_connecting extends Migration {
  override name = 'Migration20261121165000_connecting';

  override up(): void {
    this.addSql(
      `alter table "platform_connections" add "status" text not null default 'checking', add "message" text null, add "checks" int not null default 0, add "agents" jsonb not null default '[]', add "checked_at" timestamptz(3) null;`,
    );
    this.addSql(
      `alter table "platform_connections" add constraint "platform_connections_status_check" check ("status" in ('checking', 'ok', 'refused'));`,
    );
    this.addSql(`alter table "platform_connections" no force row level security;`);
    this.addSql(`update "platform_connections" set "status" = 'ok';`);
    this.addSql(`alter table "platform_connections" force row level security;`);
    this.addSql(
      `alter table "agents" add "brief" jsonb null, add "brief_message" text null, add "brief_reads" int not null default 0;`,
    );
  }
}
