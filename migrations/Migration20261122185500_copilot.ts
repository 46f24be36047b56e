import { Migration } from '@mikro-orm/migrations';

/**
 * Conversations with the copilot, how each answer came about, the changes that it proposed, and how many questions a
 * workspace has asked in a period.
 */
export class Migration20261122185500_copilot extends Migration {
  override name = 'Migration20261122185500_copilot';

  override up(): void {
    this.addSql(`alter table "plan_usage" add "copilot_messages" int not null default 0;`);

    this.addSql(
      `create table "copilot_conversations" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "person_id" uuid not null, "title" varchar(200) not null default '', "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `create index "copilot_conversations_person" on "copilot_conversations" ("agent_id", "person_id", "created_at", "id");`,
    );
    this.addSql(`alter table "copilot_conversations" enable row level security;`);
    this.addSql(`alter table "copilot_conversations" force row level security;`);
    this.addSql(
      `create policy "own" on "copilot_conversations" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );

    this.addSql(
      `create table "copilot_messages" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "conversation_id" uuid not null, "person_id" uuid not null, "position" int not null, "role" text not null, "state" text not null, "text" text not null default '', "reads" jsonb not null default '[]', "citations" jsonb not null default '[]', "problem_code" text null, "problem" text null, "stop_asked" boolean not null default false, "beat_at" timestamptz(3) not null default now(), "created_at" timestamptz(3) not null default now(), "finished_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "copilot_messages" add constraint "copilot_messages_position" unique ("conversation_id", "position");`,
    );
    this.addSql(
      `create unique index "copilot_messages_answering" on "copilot_messages" ("workspace_id", "person_id") where "state" = 'answering';`,
    );
    this.addSql(
      `alter table "copilot_messages" add constraint "copilot_messages_role_check" check ("role" in ('person', 'copilot'));`,
    );
    this.addSql(
      `alter table "copilot_messages" add constraint "copilot_messages_state_check" check ("state" in ('answering', 'done', 'stopped', 'failed'));`,
    );
    this.addSql(`alter table "copilot_messages" enable row level security;`);
    this.addSql(`alter table "copilot_messages" force row level security;`);
    this.addSql(
      `create policy "own" on "copilot_messages" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );

    this.addSql(
      `create table "copilot_events" ("conversation_id" uuid not null, "id" bigint not null, "workspace_id" uuid not null, "kind" text not null, "data" jsonb not null, "created_at" timestamptz(3) not null default now(), primary key ("conversation_id", "id"));`,
    );
    this.addSql(`create index "copilot_events_age" on "copilot_events" ("workspace_id", "created_at");`);
    this.addSql(
      `alter table "copilot_events" add constraint "copilot_events_kind_check" check ("kind" in ('begin', 'text', 'read', 'citation', 'card', 'done', 'error'));`,
    );
    this.addSql(`alter table "copilot_events" enable row level security;`);
    this.addSql(`alter table "copilot_events" force row level security;`);
    this.addSql(
      `create policy "own" on "copilot_events" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );

    this.addSql(
      `create table "copilot_cards" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "conversation_id" uuid not null, "message_id" uuid not null, "operation" text not null, "input" jsonb not null, "summary" text not null, "digest" text not null, "state" text not null default 'proposed', "tries" int not null default 0, "claimed_at" timestamptz(3) null, "status" int null, "made_id" text null, "created_at" timestamptz(3) not null default now(), "decided_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "copilot_cards_conversation" on "copilot_cards" ("conversation_id", "id");`);
    this.addSql(
      `alter table "copilot_cards" add constraint "copilot_cards_state_check" check ("state" in ('proposed', 'confirming', 'confirmed', 'dismissed'));`,
    );
    this.addSql(`alter table "copilot_cards" enable row level security;`);
    this.addSql(`alter table "copilot_cards" force row level security;`);
    this.addSql(
      `create policy "own" on "copilot_cards" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
  }
}
