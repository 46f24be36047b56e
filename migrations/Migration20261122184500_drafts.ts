import { Migration } from '@mikro-orm/migrations';

/**
 * Drafts with each text that they had, and the runs of a draft's text, which name the revision that they play: a text that
 * is changed later was not tested by them.
 */
export class Migration20261122184500_drafts extends Migration {
  override name = 'Migration20261122184500_drafts';

  override up(): void {
    this.addSql(
      `create table "drafts" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "title" varchar(200) not null, "rationale" text not null, "status" text not null default 'draft', "revision" int not null default 1, "new_case_ids" uuid[] not null, "issue_id" uuid null, "comparison_id" uuid null, "target_path" text null, "published_version" int null, "published_at" timestamptz(3) null, "published_by" uuid null, "publish_failure" text null, "created_by" text not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "drafts_agent" on "drafts" ("agent_id", "created_at", "id");`);
    this.addSql(
      `create table "draft_revisions" ("draft_id" uuid not null, "revision" int not null, "workspace_id" uuid not null, "agent_id" uuid not null, "base_version" int not null, "base_hash" text not null, "base" jsonb not null, "texts" jsonb not null, "changes" jsonb not null, "draft_hash" text not null, "created_by" text not null, "created_at" timestamptz(3) not null default now(), primary key ("draft_id", "revision"));`,
    );
    this.addSql(`alter table "runs" add "draft_id" uuid null, add "draft_revision" int null;`);
    this.addSql(`create index "runs_draft" on "runs" ("draft_id", "draft_revision") where "draft_id" is not null;`);

    this.addSql(
      `alter table "drafts" add constraint "drafts_status_check" check ("status" in ('draft', 'publishing', 'published', 'discarded'));`,
    );
    this.addSql(`alter table "drafts" enable row level security;`);
    this.addSql(`alter table "drafts" force row level security;`);
    this.addSql(
      `create policy "own" on "drafts" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "drafts" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );

    this.addSql(`alter table "draft_revisions" enable row level security;`);
    this.addSql(`alter table "draft_revisions" force row level security;`);
    this.addSql(
      `create policy "own" on "draft_revisions" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "draft_revisions" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );

    this.addSql(`alter table "workspace_events" drop constraint "workspace_events_kind_check";`);
    this.addSql(
      `alter table "workspace_events" add constraint "workspace_events_kind_check" check ("kind" in ('import.progress', 'import.finished', 'issues.changed', 'issue.opened', 'issue.changed', 'issue.resolved', 'issue.regressed', 'issue.spiked', 'version.new', 'webhook.off', 'run.changed', 'watch.changed', 'watch.backtest', 'watch.failing', 'goal.changed', 'draft.changed'));`,
    );
  }
}
