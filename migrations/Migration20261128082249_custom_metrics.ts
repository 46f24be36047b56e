import { Migration } from '@mikro-orm/migrations';

/** Metrics that people define, their versions, and what each says of a call. */
export class Migration20261128082249_custom_metrics extends Migration {
  override name = 'Migration20261128082249_custom_metrics';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "custom_metrics" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "slug" text not null, "name" text not null, "description" text null, "kind" text not null, "answer" text not null, "better" text not null, "bad_labels" text[] not null default '{}', "unit" text null, "share" double precision not null default 1, "is_on" boolean not null default false, "version" int not null default 1, "form" jsonb not null, "applies_when" text null, "backfill_state" text null, "backfill_done" int not null default 0, "backfill_total" int not null default 0, "created_by" text not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`alter table "custom_metrics" add constraint "custom_metrics_slug" unique ("agent_id", "slug");`);

    this.addSql(
      `create table "custom_metric_values" ("metric_id" uuid not null, "version" int not null, "call_id" uuid not null, "agent_id" uuid not null, "state" text not null, "number" double precision null, "label" text null, "turn" int null, "quote" text not null, "because" text not null, primary key ("metric_id", "version", "call_id"));`,
    );
    this.addSql(`create index "custom_metric_values_call" on "custom_metric_values" ("call_id");`);
    this.addSql(
      `create index "custom_metric_values_worst" on "custom_metric_values" ("metric_id", "version", "number") where "number" is not null;`,
    );

    this.addSql(
      `create table "custom_metric_versions" ("metric_id" uuid not null, "version" int not null, "workspace_id" uuid not null, "agent_id" uuid not null, "form" jsonb not null, "applies_when" text null, "change_reason" text null, "created_by" text not null, "created_at" timestamptz(3) not null default now(), primary key ("metric_id", "version"));`,
    );

    this.addSql(
      `alter table "custom_metrics" add constraint "custom_metrics_kind_check" check ("kind" in ('formula', 'pattern', 'judged'));`,
    );
    this.addSql(
      `alter table "custom_metrics" add constraint "custom_metrics_answer_check" check ("answer" in ('yes_no', 'number', 'label', 'text'));`,
    );
    this.addSql(
      `alter table "custom_metrics" add constraint "custom_metrics_better_check" check ("better" in ('higher', 'lower', 'neither'));`,
    );
    this.addSql(
      `alter table "custom_metrics" add constraint "custom_metrics_backfill_state_check" check ("backfill_state" in ('queued', 'running', 'complete', 'failed'));`,
    );
    this.addSql(`alter table "custom_metrics" enable row level security;`);
    this.addSql(`alter table "custom_metrics" force row level security;`);
    this.addSql(
      `create policy "own" on "custom_metrics" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "custom_metrics" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );

    this.addSql(
      `alter table "custom_metric_values" add constraint "custom_metric_values_state_check" check ("state" in ('value', 'not_applicable', 'unknown'));`,
    );
    this.addSql(`alter table "custom_metric_values" enable row level security;`);
    this.addSql(`alter table "custom_metric_values" force row level security;`);
    this.addSql(`create policy "reads" on "custom_metric_values" for select using (agent_id IN ( SELECT a.id
   FROM agents a));`);
    this.addSql(`create policy "adds" on "custom_metric_values" for insert with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "changes" on "custom_metric_values" for update using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)))) with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "removes" on "custom_metric_values" for delete using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);

    this.addSql(`alter table "custom_metric_versions" enable row level security;`);
    this.addSql(`alter table "custom_metric_versions" force row level security;`);
    this.addSql(
      `create policy "own" on "custom_metric_versions" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "custom_metric_versions" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );
  }
}
