import { Migration } from '@mikro-orm/migrations';

/** Copies of agents at their platform, written down before they are made: what a crash leaves there is found and removed. */
export class Migration20261122212500_agent_copies extends Migration {
  override name = 'Migration20261122212500_agent_copies';

  override up(): void {
    this.addSql(
      `create table "agent_copies" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "run_id" uuid not null, "version" int not null, "state" text not null default 'making', "handle" jsonb null, "provider_agent_id" text null, "provider_version" int null, "tries" int not null default 0, "problem" text null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "removed_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "agent_copies_agent" on "agent_copies" ("agent_id", "created_at", "id");`);
    this.addSql(`create index "agent_copies_run" on "agent_copies" ("run_id");`);
    this.addSql(
      `alter table "agent_copies" add constraint "agent_copies_state_check" check ("state" in ('making', 'ready', 'removing', 'removed'));`,
    );
    this.addSql(`alter table "runs" add "plays_copy" boolean not null default false;`);
    this.addSql(`alter table "agent_copies" enable row level security;`);
    this.addSql(`alter table "agent_copies" force row level security;`);
    this.addSql(
      `create policy "own" on "agent_copies" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "agent_copies" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );
  }
}
