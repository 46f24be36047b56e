import { Migration } from '@mikro-orm/migrations';

/** Events that platforms send: whose address they come to, what they are signed with, and which calls they told of. */
export class Migration20261121171500_hooks extends Migration {
  override name = 'Migration20261121171500_hooks';

  override up(): void {
    this.addSql(`alter table "platform_connections" add "sealed_webhook_secret" text null;`);
    this.addSql(
      `create table "hook_addresses" ("connection_id" uuid not null, "workspace_id" uuid not null, primary key ("connection_id"));`,
    );
    this.addSql(
      `create table "told_calls" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "provider_call_id" text not null, "digest" text not null, "told_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `alter table "told_calls" add constraint "told_calls_natural_key" unique ("agent_id", "provider_call_id");`,
    );
    this.addSql(`alter table "told_calls" enable row level security;`);
    this.addSql(`alter table "told_calls" force row level security;`);
    this.addSql(
      `create policy "own" on "told_calls" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "told_calls" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );
    this.addSql(`alter table "platform_connections" no force row level security;`);
    this.addSql(
      `insert into "hook_addresses" ("connection_id", "workspace_id") select "id", "workspace_id" from "platform_connections";`,
    );
    this.addSql(`alter table "platform_connections" force row level security;`);
  }
}
