import { Migration } from '@mikro-orm/migrations';

/**
 * Calls that say what is sought, at most so many. It runs as the owner of the tables, whom the row security of
 * `call_words` does not hold: behind a policy PostgreSQL answers no search from an index. So it names the workspaces in
 * scope itself. Each search is planned for its words: how often they are said decides how they are best found.
 */
const SAYING = `
create function calls_saying(agents uuid[], sought tsquery, at_most int) returns uuid[]
language sql stable security definer set search_path from current set plan_cache_mode = force_custom_plan as $$
  select coalesce(array_agg(found.call_id), '{}') from (
    select w.call_id from call_words w
    where w.words @@ sought and w.agent_id = any(agents)
      and w.workspace_id in ((select workspace_in_scope()), (select demo_in_scope()))
    limit at_most
  ) found
$$`;

/** What calls are found by: the words that were said, what came beside them, and tags. */
export class Migration20261128083309_call_search extends Migration {
  override name = 'Migration20261128083309_call_search';

  override up(): void {
    this.addSql(
      `create table "call_fields" ("call_id" uuid not null, "name" text not null, "text" text not null, "workspace_id" uuid not null, "agent_id" uuid not null, "number" double precision null, primary key ("call_id", "name", "text"));`,
    );
    this.addSql(
      `create index "call_fields_of_agent" on "call_fields" ("agent_id", "name", "text") include ("call_id");`,
    );
    this.addSql(
      `create index "call_fields_number" on "call_fields" ("agent_id", "name", "number") include ("call_id") where "number" is not null;`,
    );

    this.addSql(
      `create table "call_words" ("call_id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "words" tsvector not null, primary key ("call_id"));`,
    );
    this.addSql(`create index "call_words_search" on "call_words" using gin ("words");`);

    this.addSql(`alter table "call_fields" enable row level security;`);
    this.addSql(`alter table "call_fields" force row level security;`);
    this.addSql(
      `create policy "own" on "call_fields" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "call_fields" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );

    this.addSql(`alter table "call_words" enable row level security;`);
    this.addSql(
      `create policy "own" on "call_words" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "call_words" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );
    this.addSql(SAYING);
    this.addSql(`revoke all on function calls_saying(uuid[], tsquery, int) from public;`);
    this.addSql(`grant execute on function calls_saying(uuid[], tsquery, int) to earshot_app;`);
  }
}
