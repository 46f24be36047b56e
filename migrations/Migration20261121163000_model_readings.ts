import { Migration } from '@mikro-orm/migrations';

/**
 * What models read and cost, and histories that are read again before the new readings count. The reservation is a
 * function, so that the look at what is used and the row that uses more are one statement under the workspace's lock.
 */
export class Migration20261121163000_model_readings extends Migration {
  override name = 'Migration20261121163000_model_readings';

  override up(): void {
    this.addSql(
      `create table "model_readings" ("call_id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "payload_digest" text not null, "model" text not null, "state" text not null default 'waiting', "asks" int not null default 0, "note" text null, "reading" jsonb null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("call_id"));`,
    );
    this.addSql(
      `create index "model_readings_open" on "model_readings" ("agent_id", "call_id") where "state" in ('waiting', 'read');`,
    );
    this.addSql(
      `create table "model_usage" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid null, "purpose" text not null, "subject" text not null, "ask" int not null, "model" text not null, "priced" boolean not null, "input_tokens" int not null default 0, "output_tokens" int not null default 0, "charged_nano_usd" bigint not null, "settled_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `create index "model_usage_window" on "model_usage" ("workspace_id", "created_at") include ("charged_nano_usd");`,
    );
    this.addSql(
      `alter table "model_usage" add constraint "model_usage_natural_key" unique ("workspace_id", "purpose", "subject", "ask");`,
    );
    this.addSql(
      `create table "reanalyses" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "status" text not null default 'queued', "analyser_version" int not null, "thresholds" jsonb null, "applies_itself" boolean not null default false, "total" int not null default 0, "done" int not null default 0, "failed" int not null default 0, "cursor" uuid null, "applied" int not null default 0, "report" jsonb null, "reason" text null, "created_by" uuid null, "created_at" timestamptz(3) not null default now(), "reported_at" timestamptz(3) null, "finished_at" timestamptz(3) null, "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "reanalyses_agent" on "reanalyses" ("agent_id", "created_at", "id");`);
    this.addSql(
      `create unique index "reanalyses_open" on "reanalyses" ("agent_id") where "status" in ('queued', 'reading', 'reported', 'applying');`,
    );
    this.addSql(
      `create table "shadow_readings" ("reanalysis_id" uuid not null, "call_id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "payload_digest" text not null, "codes_before" text[] not null default '{}', "codes_after" text[] not null default '{}', "outcome_before" text not null, "outcome_after" text not null, "analysis" jsonb null, primary key ("reanalysis_id", "call_id"));`,
    );
    this.addSql(
      `alter table "model_readings" add constraint "model_readings_state_check" check ("state" in ('waiting', 'read', 'done', 'dropped'));`,
    );
    this.addSql(`alter table "model_readings" enable row level security;`);
    this.addSql(`alter table "model_readings" force row level security;`);
    this.addSql(
      `create policy "own" on "model_readings" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(`create policy "demo" on "model_readings" for select using (workspace_id = (select demo_in_scope()));`);
    this.addSql(`alter table "model_usage" enable row level security;`);
    this.addSql(`alter table "model_usage" force row level security;`);
    this.addSql(
      `create policy "own" on "model_usage" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `alter table "reanalyses" add constraint "reanalyses_status_check" check ("status" in ('queued', 'reading', 'reported', 'applying', 'applied', 'discarded', 'failed'));`,
    );
    this.addSql(`alter table "reanalyses" enable row level security;`);
    this.addSql(`alter table "reanalyses" force row level security;`);
    this.addSql(
      `create policy "own" on "reanalyses" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(`create policy "demo" on "reanalyses" for select using (workspace_id = (select demo_in_scope()));`);
    this.addSql(
      `alter table "shadow_readings" add constraint "shadow_readings_outcome_before_check" check ("outcome_before" in ('resolved', 'unresolved', 'transferred', 'abandoned', 'no_contact'));`,
    );
    this.addSql(
      `alter table "shadow_readings" add constraint "shadow_readings_outcome_after_check" check ("outcome_after" in ('resolved', 'unresolved', 'transferred', 'abandoned', 'no_contact'));`,
    );
    this.addSql(`alter table "shadow_readings" enable row level security;`);
    this.addSql(`alter table "shadow_readings" force row level security;`);
    this.addSql(
      `create policy "own" on "shadow_readings" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "shadow_readings" for select using (workspace_id = (select demo_in_scope()));`,
    );
    this.addSql(`create index "calls_read_by" on "calls" ("agent_id", "analyser_version") where "state" = 'analysed';`);
    this.addSql(
      `create table "model_wordings" ("subject_id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "kind" text not null, "digest" text not null, "asks" int not null default 0, "text" text null, "updated_at" timestamptz(3) not null default now(), primary key ("subject_id"));`,
    );
    this.addSql(
      `alter table "model_wordings" add constraint "model_wordings_kind_check" check ("kind" in ('intent', 'recommendation'));`,
    );
    this.addSql(`alter table "model_wordings" enable row level security;`);
    this.addSql(`alter table "model_wordings" force row level security;`);
    this.addSql(
      `create policy "own" on "model_wordings" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(`create policy "demo" on "model_wordings" for select using (workspace_id = (select demo_in_scope()));`);
    this.addSql(RESERVE);
  }
}

/** Each statement inside sees what was committed before the lock was had, so two processes never spend the same money. */
const RESERVE = `
create function reserve_model_usage(with_id uuid, of_workspace uuid, of_agent uuid, for_purpose text, for_subject text,
  nth int, of_model text, is_priced boolean, most_nano_usd bigint, out state text, out free_at timestamptz)
language plpgsql as $$
declare
  at timestamptz;
  allowance numeric;
  used numeric;
begin
  select (w.allowances ->> 'aiAllowanceUsd')::numeric * 1000000000 into allowance
  from workspaces w where w.id = of_workspace for no key update;
  at := clock_timestamp();
  if allowance is not null then
    select coalesce(sum(u.charged_nano_usd), 0) into used from model_usage u
    where u.workspace_id = of_workspace and u.created_at > at - interval '30 days';
    if used + most_nano_usd > allowance then
      state := 'exhausted';
      if most_nano_usd <= allowance then
        select min(w.created_at) + interval '30 days' into free_at from (
          select u.created_at, sum(u.charged_nano_usd) over (order by u.created_at, u.id) as gone
          from model_usage u where u.workspace_id = of_workspace and u.created_at > at - interval '30 days'
        ) w where used - w.gone + most_nano_usd <= allowance;
      end if;
      return;
    end if;
  end if;
  insert into model_usage (id, workspace_id, agent_id, purpose, subject, ask, model, priced, charged_nano_usd, created_at)
  values (with_id, of_workspace, of_agent, for_purpose, for_subject, nth, of_model, is_priced, most_nano_usd, at)
  on conflict (workspace_id, purpose, subject, ask) do nothing;
  state := case when found then 'reserved' else 'begun' end;
end $$`;
