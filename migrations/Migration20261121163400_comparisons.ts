import { Migration } from '@mikro-orm/migrations';

/** Comparisons of neighbouring versions, and what they read of a call that no list needed before. */
export class Migration20261121163400_comparisons extends Migration {
  override name = 'Migration20261121163400_comparisons';

  override up(): void {
    this.addSql(
      `create table "comparisons" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "from_version" int not null, "to_version" int not null, "from_captured" boolean not null, "to_captured" boolean not null, "changes" jsonb not null, "result" jsonb not null, "standing" jsonb not null, "inputs_digest" text not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "comparisons_list" on "comparisons" ("agent_id", "to_version" desc);`);
    this.addSql(
      `alter table "comparisons" add constraint "comparisons_natural_key" unique ("agent_id", "from_version", "to_version");`,
    );
    this.addSql(
      `alter table "calls" add "tool_results" int null, add "response_median_ms" int null, add "response_slow_ms" int null;`,
    );
    this.addSql(`alter table "comparisons" enable row level security;`);
    this.addSql(`alter table "comparisons" force row level security;`);
    this.addSql(
      `create policy "own" on "comparisons" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "comparisons" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );
  }
}
