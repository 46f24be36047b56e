import { Migration } from '@mikro-orm/migrations';

/** Pages of an agent as a person narrowed them, under names: the web app keeps nothing that the API does not have. */
export class Migration20261123003000_saved_views extends Migration {
  override name = 'Migration20261123003000_saved_views';

  override up(): void {
    this.addSql(
      `create table "saved_views" ("agent_id" uuid not null, "person_id" uuid not null, "page" text not null, "name" varchar(80) not null, "workspace_id" uuid not null, "query" text not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("agent_id", "person_id", "page", "name"));`,
    );
    this.addSql(
      `alter table "saved_views" add constraint "saved_views_page_check" check ("page" in ('issues', 'calls', 'metrics', 'flow', 'watches', 'audit'));`,
    );
    this.addSql(`alter table "saved_views" enable row level security;`);
    this.addSql(`alter table "saved_views" force row level security;`);
    this.addSql(
      `create policy "own" on "saved_views" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
  }
}
