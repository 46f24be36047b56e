import { Migration } from '@mikro-orm/migrations';

/** Goals with their plans, and the goal that a run is for. */
export class Migration20261122182500_goals extends Migration {
  override name = 'Migration20261122182500_goals';

  override up(): void {
    this.addSql(
      `create table "goals" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "title" varchar(200) not null, "request" text not null, "origin" text not null, "status" text not null default 'open', "conversation_id" uuid null, "test_ids" uuid[] not null, "approved_at" timestamptz(3) null, "approved_by" uuid null, "from_version" int not null, "outcome" text null, "closing_figures" text null, "closed_at" timestamptz(3) null, "closed_by" uuid null, "created_by" text not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "goals_agent" on "goals" ("agent_id", "created_at", "id");`);
    this.addSql(
      `alter table "goals" add constraint "goals_origin_check" check ("origin" in ('copilot', 'mcp', 'api'));`,
    );
    this.addSql(`alter table "goals" add constraint "goals_status_check" check ("status" in ('open', 'closed'));`);
    this.addSql(`alter table "goals" enable row level security;`);
    this.addSql(`alter table "goals" force row level security;`);
    this.addSql(
      `create policy "own" on "goals" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "goals" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );

    this.addSql(`alter table "runs" add "goal_id" uuid null;`);
    this.addSql(`create index "runs_goal" on "runs" ("goal_id", "created_at", "id") where "goal_id" is not null;`);

    this.addSql(`alter table "workspace_events" drop constraint "workspace_events_kind_check";`);
    this.addSql(
      `alter table "workspace_events" add constraint "workspace_events_kind_check" check ("kind" in ('import.progress', 'import.finished', 'issues.changed', 'issue.opened', 'issue.changed', 'issue.resolved', 'issue.regressed', 'issue.spiked', 'version.new', 'webhook.off', 'run.changed', 'watch.changed', 'watch.backtest', 'watch.failing', 'goal.changed'));`,
    );
  }
}
