import { Migration } from '@mikro-orm/migrations';

/** Erasures with their reports, and what is left of erased calls and callers: keyed hashes by which they stay away. */
export class Migration20261122192900_erasures extends Migration {
  override name = 'Migration20261122192900_erasures';

  override up(): void {
    this.addSql(
      `create table "erasures" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "scope" text not null, "call_ids" jsonb not null default '[]', "caller_key" text null, "sealed_number" text null, "reason" text not null, "status" text not null default 'queued', "total" int not null default 0, "done" int not null default 0, "removed" jsonb not null default '{}', "message" text null, "requested_by" uuid not null, "created_at" timestamptz(3) not null default now(), "started_at" timestamptz(3) null, "finished_at" timestamptz(3) null, "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "erasures_agent" on "erasures" ("agent_id", "created_at", "id");`);
    this.addSql(`create index "erasures_open" on "erasures" ("workspace_id") where "status" in ('queued', 'running');`);
    this.addSql(`alter table "erasures" add constraint "erasures_scope_check" check ("scope" in ('calls', 'caller'));`);
    this.addSql(
      `alter table "erasures" add constraint "erasures_status_check" check ("status" in ('queued', 'running', 'complete', 'failed'));`,
    );
    this.addSql(
      `create table "erased_calls" ("agent_id" uuid not null, "ref_hash" text not null, "workspace_id" uuid not null, "erased_at" timestamptz(3) not null default now(), primary key ("agent_id", "ref_hash"));`,
    );
    this.addSql(
      `create table "erased_callers" ("agent_id" uuid not null, "caller_key" text not null, "workspace_id" uuid not null, "before" timestamptz(3) not null default now(), primary key ("agent_id", "caller_key"));`,
    );
    this.addSql(
      `create policy "demo" on "erasures" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );
    for (const table of ['erasures', 'erased_calls', 'erased_callers']) {
      this.addSql(`alter table "${table}" enable row level security;`);
      this.addSql(`alter table "${table}" force row level security;`);
      this.addSql(
        `create policy "own" on "${table}" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
      );
    }
  }
}
