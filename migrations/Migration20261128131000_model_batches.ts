import { ConcurrentMigration } from '../src/db/concurrent-migration.ts';

const OWN = 'workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)';

/** Batches in which a provider is handed the questions of a backfill, and the batch that a call's first question is in. */
export class Migration20261128131000_model_batches extends ConcurrentMigration {
  override name = 'Migration20261128131000_model_batches';

  override up(): void {
    this.addSql(
      `create table if not exists "model_batches" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "model" text not null, "state" text not null default 'open', "questions" int not null default 0, "sending_at" timestamptz(3) null, "provider_id" text null, "note" text null, "created_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index if not exists "model_batches_agent" on "model_batches" ("agent_id", "created_at");`);
    this.addSql(`alter table "model_batches" drop constraint if exists "model_batches_state_check";`);
    this.addSql(
      `alter table "model_batches" add constraint "model_batches_state_check" check ("state" in ('open', 'ended', 'failed'));`,
    );
    this.addSql(`alter table "model_batches" enable row level security;`);
    this.addSql(`alter table "model_batches" force row level security;`);
    this.addSql(`drop policy if exists "own" on "model_batches";`);
    this.addSql(`create policy "own" on "model_batches" using (${OWN}) with check (${OWN});`);
    this.addSql(`alter table "model_readings" add column if not exists "batch_id" uuid null;`);
    this.addIndex('model_readings_batch', `on "model_readings" ("batch_id", "call_id") where "batch_id" is not null`);
  }
}
