import { Migration } from '@mikro-orm/migrations';

/**
 * Intents that people rename and merge without losing what they were, and an intent for each request of a call: one call
 * may ask for several things.
 */
export class Migration20261121163100_intents extends Migration {
  override name = 'Migration20261121163100_intents';

  override up(): void {
    this.addSql(
      `create table "intent_changes" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "intent_id" uuid not null, "kind" text not null, "from_text" text not null, "to_text" text not null, "person_id" uuid null, "created_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "intent_changes_intent" on "intent_changes" ("intent_id", "created_at", "id");`);
    this.addSql(
      `create table "intent_discoveries" ("agent_id" uuid not null, "workspace_id" uuid not null, "calls" int not null default 0, "unplaced" int not null default 0, "embedding_model" text null, "note" text null, "discovered_at" timestamptz(3) not null default now(), primary key ("agent_id"));`,
    );
    this.addSql(`alter table "calls" add "request_intents" text[] not null default '{}';`);
    this.addSql(
      `alter table "intents" add "parent_slug" text null, add "merged_into_id" uuid null, add "kept_at" timestamptz(3) null;`,
    );
    this.addSql(
      `alter table "intent_changes" add constraint "intent_changes_kind_check" check ("kind" in ('renamed', 'merged', 'dissolved'));`,
    );
    this.addSql(`alter table "intent_changes" enable row level security;`);
    this.addSql(`alter table "intent_changes" force row level security;`);
    this.addSql(
      `create policy "own" on "intent_changes" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(`create policy "demo" on "intent_changes" for select using (workspace_id = (select demo_in_scope()));`);
    this.addSql(`alter table "intent_discoveries" enable row level security;`);
    this.addSql(`alter table "intent_discoveries" force row level security;`);
    this.addSql(
      `create policy "own" on "intent_discoveries" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "intent_discoveries" for select using (workspace_id = (select demo_in_scope()));`,
    );
  }
}
