import { Migration } from '@mikro-orm/migrations';

/**
 * Issues over time: what people do about an issue (owner, snooze, comments), when one was taken up again, stood on the
 * board first and spiked, and what an agent's grace workflow waits for. An issue that stands on a board already is not
 * said to be new.
 */
export class Migration20261121162500_issues_over_time extends Migration {
  override name = 'Migration20261121162500_issues_over_time';

  override up(): void {
    this.addSql(`alter table "agents" add "grace_plan" jsonb null;`);
    this.addSql(
      `alter table "issues" add "reopened_at" timestamptz(3) null, add "listed_at" timestamptz(3) null, add "spike" jsonb null, add "owner_id" uuid null, add "snoozed_at" timestamptz(3) null, add "snoozed_until" timestamptz(3) null, add "snoozed_by" uuid null, add "snooze_rate" double precision null;`,
    );
    // The owner of the tables need be no superuser: the update must reach the issues of every workspace.
    this.addSql(`alter table "issues" no force row level security;`);
    this.addSql(`update "issues" set "listed_at" = "confirmed_at" where "section" <> 'hidden';`);
    this.addSql(`alter table "issues" force row level security;`);
    this.addSql(`create index "issues_snoozed" on "issues" ("agent_id") where "snoozed_at" is not null;`);

    this.addSql(
      `create table "issue_comments" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "issue_id" uuid not null, "person_id" uuid not null, "text" text not null, "created_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "issue_comments_issue" on "issue_comments" ("issue_id", "created_at", "id");`);
    this.addSql(`alter table "issue_comments" enable row level security;`);
    this.addSql(`alter table "issue_comments" force row level security;`);
    this.addSql(
      `create policy "own" on "issue_comments" for all using (workspace_id = (select workspace_in_scope())) with check (workspace_id = (select workspace_in_scope()));`,
    );
    this.addSql(`create policy "demo" on "issue_comments" for select using (workspace_id = (select demo_in_scope()));`);

    this.addSql(`alter table "workspace_events" drop constraint "workspace_events_kind_check";`);
    this.addSql(
      `alter table "workspace_events" add constraint "workspace_events_kind_check" check ("kind" in ('import.progress', 'import.finished', 'issues.changed', 'issue.opened', 'issue.changed', 'issue.resolved', 'issue.regressed', 'issue.spiked'));`,
    );
  }
}
