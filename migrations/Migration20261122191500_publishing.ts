import { Migration } from '@mikro-orm/migrations';

/** Publishes and rollbacks of drafts, written down before the platform is: after a crash they are looked up, never guessed. */
export class Migration20261122191500_publishing extends Migration {
  override name = 'Migration20261122191500_publishing';

  override up(): void {
    this.addSql(
      `create table "draft_publications" ("draft_id" uuid not null, "revision" int not null, "kind" text not null, "workspace_id" uuid not null, "agent_id" uuid not null, "state" text not null default 'begun', "handle" jsonb null, "undo_handle" jsonb null, "base_version" int not null, "reason" text null, "requested_by" uuid not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("draft_id", "revision", "kind"));`,
    );
    this.addSql(
      `alter table "drafts" add "published_hash" text null, add "rolled_back_version" int null, add "rolled_back_at" timestamptz(3) null;`,
    );
    this.addSql(
      `alter table "draft_publications" add constraint "draft_publications_kind_check" check ("kind" in ('publish', 'rollback'));`,
    );
    this.addSql(
      `alter table "draft_publications" add constraint "draft_publications_state_check" check ("state" in ('begun', 'writing', 'undoing', 'done', 'failed'));`,
    );
    this.addSql(`alter table "draft_publications" enable row level security;`);
    this.addSql(`alter table "draft_publications" force row level security;`);
    this.addSql(
      `create policy "own" on "draft_publications" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "draft_publications" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );
  }
}
