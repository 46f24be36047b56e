import { Migration } from '@mikro-orm/migrations';

/** Questions that go to a provider in batches with what came back, models of a workspace's own, and calls that a person had read. */
export class Migration20261127223403_model_batches extends Migration {
  override name = 'Migration20261127223403_model_batches';

  override up(): void {
    this.addSql(
      `create table "model_batches" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "model" text not null, "account_id" text not null, "state" text not null default 'planned', "provider_id" text null, "calls" int not null default 0, "reason" text null, "sending_since" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `create index "model_batches_open" on "model_batches" ("workspace_id", "agent_id") where "state" in ('planned', 'sending', 'out');`,
    );

    this.addSql(
      `create table "model_batch_items" ("batch_id" uuid not null, "call_id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "subject" text not null, "ask" int not null, "answer" text null, "failure" text null, "charged_nano_usd" bigint not null default '0', "input_tokens" int not null default 0, "cached_input_tokens" int not null default 0, "output_tokens" int not null default 0, "settled" boolean not null default false, primary key ("batch_id", "call_id"));`,
    );
    this.addSql(`create index "model_batch_items_call" on "model_batch_items" ("call_id");`);

    this.addSql(
      `create table "workspace_models" ("workspace_id" uuid not null, "protocol" text not null, "url" text not null, "model" text not null, "sealed_key" text null, "price" jsonb null, "batches" boolean not null default false, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("workspace_id"));`,
    );

    this.addSql(`alter table "model_readings" add "ordered" boolean not null default false, add "batch_id" uuid null;`);

    this.addSql(
      `alter table "model_batches" add constraint "model_batches_state_check" check ("state" in ('planned', 'sending', 'out', 'done', 'failed'));`,
    );
    this.addSql(`alter table "model_batches" enable row level security;`);
    this.addSql(`alter table "model_batches" force row level security;`);
    this.addSql(
      `create policy "own" on "model_batches" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "model_batches" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );

    this.addSql(`alter table "model_batch_items" enable row level security;`);
    this.addSql(`alter table "model_batch_items" force row level security;`);
    this.addSql(
      `create policy "own" on "model_batch_items" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "model_batch_items" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );

    this.addSql(
      `alter table "workspace_models" add constraint "workspace_models_protocol_check" check ("protocol" in ('openai', 'anthropic'));`,
    );
    this.addSql(`alter table "workspace_models" enable row level security;`);
    this.addSql(`alter table "workspace_models" force row level security;`);
    this.addSql(
      `create policy "own" on "workspace_models" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
  }
}
