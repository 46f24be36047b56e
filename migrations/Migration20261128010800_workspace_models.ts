import { Migration } from '@mikro-orm/migrations';

/**
 * A model of a workspace's own in place of the operator's. What is asked there is no part of the operator's allowance; the
 * function of the release before stays, with one argument less.
 */
export class Migration20261128010800_workspace_models extends Migration {
  override name = 'Migration20261128010800_workspace_models';

  override up(): void {
    this.addSql(
      `create table "workspace_models" ("workspace_id" uuid not null, "protocol" text not null, "url" text not null, "model" text not null, "sealed_key" text null, "price" jsonb null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("workspace_id"));`,
    );
    this.addSql(
      `alter table "workspace_models" add constraint "workspace_models_protocol_check" check ("protocol" in ('openai', 'anthropic'));`,
    );
    this.addSql(`alter table "workspace_models" enable row level security;`);
    this.addSql(`alter table "workspace_models" force row level security;`);
    this.addSql(
      `create policy "own" on "workspace_models" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(`alter table "model_usage" add "own_nano_usd" bigint null;`);
    this.addSql(RESERVE);
  }
}

const RESERVE = `
create function reserve_model_question(with_id uuid, of_workspace uuid, of_agent uuid, for_purpose text, for_subject text,
  nth int, of_model text, is_priced boolean, most_nano_usd bigint, of_account text, is_reading boolean, is_own boolean,
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
  if allowance is not null and not is_own then
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
    own_nano_usd, created_at)
  values (with_id, of_workspace, of_agent, for_purpose, for_subject, nth, of_model, is_priced,
    case when is_own then 0 else most_nano_usd end, case when is_own then most_nano_usd end, at)
  on conflict (workspace_id, purpose, subject, ask) do nothing;
  state := case when found then 'reserved' else 'begun' end;
  if is_reading and found then
    insert into model_reading_months as m (agent_id, month, workspace_id, questions, charged_nano_usd)
    values (of_agent, date_trunc('month', at at time zone 'UTC')::date, of_workspace, 1, most_nano_usd)
    on conflict (agent_id, month) do update
    set questions = m.questions + 1, charged_nano_usd = m.charged_nano_usd + excluded.charged_nano_usd;
  end if;
end $$`;
