import { Migration } from '@mikro-orm/migrations';

/**
 * What reading calls by a model may cost, costs and waits for: settings of agents, sums of months, how each agent's reader
 * stands with its model, and what accounts of models say of waiting.
 */
export class Migration20261127210410_model_reading_costs extends Migration {
  override name = 'Migration20261127210410_model_reading_costs';

  override up(): void {
    this.addSql(
      `create table "model_accounts" ("id" text not null, "limited_until" timestamptz(3) not null, "untold" int not null default 0, primary key ("id"));`,
    );

    this.addSql(
      `create table "model_readers" ("agent_id" uuid not null, "workspace_id" uuid not null, "troubles" int not null default 0, "troubled_since" timestamptz(3) null, "trouble" text null, "reason" text null, "paused_at" timestamptz(3) null, "next_try_at" timestamptz(3) null, "tries" int not null default 0, "updated_at" timestamptz(3) not null default now(), primary key ("agent_id"));`,
    );

    this.addSql(
      `create table "model_reading_months" ("agent_id" uuid not null, "month" date not null, "workspace_id" uuid not null, "questions" int not null default 0, "input_tokens" bigint not null default '0', "cached_input_tokens" bigint not null default '0', "cache_write_tokens" bigint not null default '0', "output_tokens" bigint not null default '0', "charged_nano_usd" bigint not null default '0', primary key ("agent_id", "month"));`,
    );

    this.addSql(
      `alter table "agents" add "model_share" text not null default 'all', add "model_share_percent" int not null default 0, add "model_budget_usd" numeric(12,4) null;`,
    );
    this.addSql(
      `alter table "agents" add constraint "agents_model_share_percent_check" check (((model_share_percent >= 0) AND (model_share_percent <= 100))) not valid;`,
    );
    this.addSql(
      `alter table "agents" add constraint "agents_model_share_check" check ("model_share" in ('all', 'suspected')) not valid;`,
    );

    this.addSql(`alter table "model_readings" drop constraint "model_readings_state_check";`);
    this.addSql(
      `alter table "model_readings" add "forgiven" int not null default 0, add "gave_nothing" boolean not null default false, add "suspected" boolean not null default false, add "call_at" timestamptz(3) null, add "charged_nano_usd" bigint not null default '0', add "input_tokens" int not null default 0, add "cached_input_tokens" int not null default 0, add "output_tokens" int not null default 0;`,
    );
    this.addSql(
      `alter table "model_readings" add constraint "model_readings_state_check" check ("state" in ('waiting', 'read', 'done', 'dropped', 'left')) not valid;`,
    );

    this.addSql(
      `alter table "model_readers" add constraint "model_readers_trouble_check" check ("trouble" in ('unusable', 'away', 'key', 'money', 'model'));`,
    );
    this.addSql(`alter table "model_readers" enable row level security;`);
    this.addSql(`alter table "model_readers" force row level security;`);
    this.addSql(
      `create policy "own" on "model_readers" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "model_readers" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );

    this.addSql(`alter table "model_reading_months" enable row level security;`);
    this.addSql(`alter table "model_reading_months" force row level security;`);
    this.addSql(
      `create policy "own" on "model_reading_months" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "model_reading_months" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );
    this.addSql(RESERVE);
  }
}

/**
 * Each statement inside sees what was committed before the lock was had, so two processes never spend the same money. The
 * account comes first: who asks to wait is asked nothing, and nothing is held back for it.
 */
const RESERVE = `
create function reserve_model_question(with_id uuid, of_workspace uuid, of_agent uuid, for_purpose text, for_subject text,
  nth int, of_model text, is_priced boolean, most_nano_usd bigint, of_account text, is_reading boolean,
  out state text, out free_at timestamptz, out bound text, out is_rested boolean)
language plpgsql as $$
declare
  at timestamptz;
  allowance numeric;
  used numeric;
begin
  select a.limited_until, a.untold = 0 into free_at, is_rested from model_accounts a where a.id = of_account;
  if free_at > clock_timestamp() then
    state := 'held';
    return;
  end if;
  free_at := null;
  is_rested := coalesce(is_rested, true);
  select (w.allowances ->> 'aiAllowanceUsd')::numeric * 1000000000 into allowance
  from workspaces w where w.id = of_workspace for no key update;
  at := clock_timestamp();
  if allowance is not null then
    select coalesce(sum(u.charged_nano_usd), 0) into used from model_usage u
    where u.workspace_id = of_workspace and u.created_at > at - interval '30 days';
    if used + most_nano_usd > allowance then
      state := 'exhausted';
      bound := 'allowance';
      if most_nano_usd <= allowance then
        select min(w.created_at) + interval '30 days' into free_at from (
          select u.created_at, sum(u.charged_nano_usd) over (order by u.created_at, u.id) as gone
          from model_usage u where u.workspace_id = of_workspace and u.created_at > at - interval '30 days'
        ) w where used - w.gone + most_nano_usd <= allowance;
      end if;
      return;
    end if;
  end if;
  if is_reading then
    select a.model_budget_usd * 1000000000, coalesce(m.charged_nano_usd, 0) into allowance, used
    from agents a left join model_reading_months m
      on m.agent_id = a.id and m.month = date_trunc('month', at at time zone 'UTC')::date
    where a.id = of_agent;
    if used + most_nano_usd > allowance then
      state := 'exhausted';
      bound := 'agent';
      if most_nano_usd <= allowance then
        free_at := (date_trunc('month', at at time zone 'UTC') + interval '1 month') at time zone 'UTC';
      end if;
      return;
    end if;
  end if;
  insert into model_usage (id, workspace_id, agent_id, purpose, subject, ask, model, priced, charged_nano_usd,
    created_at)
  values (with_id, of_workspace, of_agent, for_purpose, for_subject, nth, of_model, is_priced,
    most_nano_usd, at)
  on conflict (workspace_id, purpose, subject, ask) do nothing;
  state := case when found then 'reserved' else 'begun' end;
  if is_reading and found then
    insert into model_reading_months as m (agent_id, month, workspace_id, questions, charged_nano_usd)
    values (of_agent, date_trunc('month', at at time zone 'UTC')::date, of_workspace, 1, most_nano_usd)
    on conflict (agent_id, month) do update
    set questions = m.questions + 1, charged_nano_usd = m.charged_nano_usd + excluded.charged_nano_usd;
  end if;
end $$`;
