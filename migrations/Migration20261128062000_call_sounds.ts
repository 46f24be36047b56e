import { Migration } from '@mikro-orm/migrations';

/** What is heard on the recordings of calls: figures and levels, none of the sound. */
export class Migration20261128062000_call_sounds extends Migration {
  override name = 'Migration20261128062000_call_sounds';

  override up(): void {
    this.addSql(
      `create table "call_sounds" ("call_id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "payload_digest" text not null, "sound_version" int not null, "state" text not null, "reason" text null, "sound" jsonb null, "tries" int not null default 0, "next_try_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("call_id"));`,
    );
    this.addSql(`create index "call_sounds_of_agent" on "call_sounds" ("agent_id", "state");`);
    this.addSql(
      `alter table "call_sounds" add constraint "call_sounds_state_check" check ("state" in ('heard', 'none', 'unreadable', 'away'));`,
    );
    this.addSql(`alter table "call_sounds" enable row level security;`);
    this.addSql(`alter table "call_sounds" force row level security;`);
    this.addSql(
      `create policy "own" on "call_sounds" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "call_sounds" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );
  }
}
