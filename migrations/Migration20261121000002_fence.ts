import { Migration } from '@mikro-orm/migrations';

/**
 * Written by hand: the role under which Earshot reads and writes, and the row security that holds it to one workspace a
 * transaction (`src/db/scope.ts`). Tables and functions of later migrations are open to the role without saying so;
 * their own row security follows from their entities.
 */
export class Migration20261121000002_fence extends Migration {
  override name = 'Migration20261121000002_fence';

  override up(): void {
    this.addSql(CREATE_ROLE);
    this.addSql(GRANTS);
    this.addSql(SCOPE);
    this.addSql(DEMO);
    this.addSql(DEMO_IN_SCOPE);
    this.addSql(OWNERS_OF_ROWS);
    for (const table of OF_WORKSPACES) this.fence(table, [OWN, READ_DEMO]);
    for (const table of OF_MEMBERS) this.fence(table, [OWN]);
    for (const table of OF_AGENTS) this.fence(table, BY_AGENT);
    this.fence('idempotency_records', [OWN_OR_NOBODYS]);
  }

  private fence(table: string, policies: readonly string[]): void {
    this.addSql(`alter table "${table}" enable row level security`);
    this.addSql(`alter table "${table}" force row level security`);
    for (const policy of policies) this.addSql(policy.replace('?', `"${table}"`));
  }
}

/**
 * Roles belong to the server, so another database may have made it already, even at the same moment. A user who may not
 * make roles needs one that was made for them. Whoever is no superuser must be a member to take it on.
 */
const CREATE_ROLE = `
do $$ begin
  if not exists (select 1 from pg_roles where rolname = 'earshot_app') then
    begin
      create role earshot_app nologin;
    exception
      when duplicate_object or unique_violation then null;
      when insufficient_privilege then
        raise exception 'The user % may not create roles, and Earshot needs the role earshot_app. Let an administrator run: create role earshot_app nologin; grant earshot_app to %', current_user, quote_ident(current_user);
    end;
  end if;
  if not (select rolsuper from pg_roles where rolname = current_user) then
    begin
      execute format('grant earshot_app to %I', current_user);
    exception
      -- Somebody who may has done it, or the start that follows says what is missing.
      when insufficient_privilege then null;
    end;
  end if;
end $$`;

const GRANTS = `
do $$ begin
  execute format('grant usage on schema %I to earshot_app', current_schema());
  execute format('grant select, insert, update, delete on all tables in schema %I to earshot_app', current_schema());
  execute format('alter default privileges in schema %I grant select, insert, update, delete on tables to earshot_app', current_schema());
  execute format('revoke all on %I.mikro_orm_migrations from earshot_app', current_schema());
end $$`;

/** Null where no scope is set, and equal to nothing then. */
const SCOPE = `
create function workspace_in_scope() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('earshot.workspace', true), '')::uuid
$$`;

/** A constant, so that no read of the demo looks it up; an installation that has a demo workspace keeps it. */
const DEMO = `
do $$ declare
  demo uuid;
begin
  select id into demo from workspaces where is_system order by created_at limit 1;
  execute format('create function demo_workspace() returns uuid language sql immutable parallel safe as %L',
    format('select %L::uuid', coalesce(demo, '00000000-0000-7000-8000-000000000001')));
end $$`;

/** Without a scope the demo is as closed as everything else. */
const DEMO_IN_SCOPE = `
create function demo_in_scope() returns uuid language sql stable parallel safe as $$
  select case when workspace_in_scope() is not null then demo_workspace() end
$$`;

/** Lines of an upload, the history of an issue and answers to repeated requests carry the workspace that wrote them. */
const OWNERS_OF_ROWS = `
alter table "uploaded_records" add column "workspace_id" uuid;
update "uploaded_records" set "workspace_id" = i."workspace_id" from "imports" i where i."id" = "import_id";
delete from "uploaded_records" where "workspace_id" is null;
alter table "uploaded_records" alter column "workspace_id" set default workspace_in_scope(),
  alter column "workspace_id" set not null;
alter table "issue_history" add column "workspace_id" uuid;
update "issue_history" set "workspace_id" = a."workspace_id" from "agents" a where a."id" = "agent_id";
alter table "issue_history" alter column "workspace_id" set default workspace_in_scope(),
  alter column "workspace_id" set not null;
delete from "idempotency_records";
alter table "idempotency_records" add column "workspace_id" uuid default workspace_in_scope()`;

const OF_WORKSPACES = [
  'platform_connections',
  'agents',
  'agent_versions',
  'imports',
  'import_failures',
  'uploaded_records',
  'calls',
  'transcripts',
  'raw_payloads',
  'call_analyses',
  'call_signals',
  'intents',
  'issues',
  'issue_history',
];
const OF_MEMBERS = ['audit_entries', 'workspace_events'];
const OF_AGENTS = [
  'call_codes',
  'issue_calls',
  'computability_profiles',
  'visit_sets',
  'place_rollups',
  'issue_rollups',
  'issue_days',
  'issue_causes',
  'issue_pairs',
  'issue_intents',
];

const IN_SCOPE = 'workspace_id = (select workspace_in_scope())';
const AGENT_IN_SCOPE = `agent_id in (select a.id from agents a where a.${IN_SCOPE})`;
const SCOPED_OR_NOBODYS = 'workspace_id is not distinct from (select workspace_in_scope())';
const OWN = `create policy "own" on ? using (${IN_SCOPE}) with check (${IN_SCOPE})`;
const READ_DEMO = 'create policy "demo" on ? for select using (workspace_id = (select demo_in_scope()))';
const OWN_OR_NOBODYS = `create policy "own" on ? using (${SCOPED_OR_NOBODYS}) with check (${SCOPED_OR_NOBODYS})`;
const BY_AGENT = [
  'create policy "reads" on ? for select using (agent_id in (select a.id from agents a))',
  `create policy "adds" on ? for insert with check (${AGENT_IN_SCOPE})`,
  `create policy "changes" on ? for update using (${AGENT_IN_SCOPE}) with check (${AGENT_IN_SCOPE})`,
  `create policy "removes" on ? for delete using (${AGENT_IN_SCOPE})`,
];
