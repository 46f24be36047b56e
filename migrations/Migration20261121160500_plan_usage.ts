import { Migration } from '@mikro-orm/migrations';

/**
 * What a workspace used of its plan. Until now it was summed up from the calls, which counted a call again that was
 * read anew in a later period; the sum of the present periods is taken over once.
 */
export class Migration20261121160500_plan_usage extends Migration {
  override name = 'Migration20261121160500_plan_usage';

  override up(): void {
    this.addSql(
      `create table "plan_usage" ("workspace_id" uuid not null, "starts_at" timestamptz(3) not null, "analysed_calls" int not null default 0, primary key ("workspace_id", "starts_at"));`,
    );
    this.addSql(TAKE_OVER);
    this.addSql(`alter table "plan_usage" enable row level security;`);
    this.addSql(`alter table "plan_usage" force row level security;`);
    this.addSql(
      `create policy "own" on "plan_usage" using (workspace_id = (select workspace_in_scope())) with check (workspace_id = (select workspace_in_scope()));`,
    );
  }
}

const TAKE_OVER = `
insert into plan_usage (workspace_id, starts_at, analysed_calls)
select p.id, p.starts_at, sum(greatest(1, ceil(c.duration_ms / 600000.0)))
from (
  select id, date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' as starts_at from workspaces
  union
  select id, (since + make_interval(months => (12 * extract(year from age(at, since)) + extract(month from age(at, since)))::int))
    at time zone 'UTC'
  from (select id, plan_since at time zone 'UTC' as since, now() at time zone 'UTC' as at from workspaces) w
) p
join agents a on a.workspace_id = p.id and a.source <> 'demo'
join calls c on c.agent_id = a.id and c.state = 'analysed' and c.analysed_at >= p.starts_at
group by p.id, p.starts_at`;
