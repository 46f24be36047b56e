import { Migration } from '@mikro-orm/migrations';

/**
 * Watches with the backtest, samples and labels of each revision, the verdicts of calls, and their sums by version and day,
 * which are kept by difference so that a list of watches reads no verdict.
 */
export class Migration20261122144100_watches extends Migration {
  override name = 'Migration20261122144100_watches';

  override up(): void {
    this.addSql(
      `create table "backtests" ("watch_id" uuid not null, "revision" int not null, "workspace_id" uuid not null, "agent_id" uuid not null, "status" text not null default 'queued', "candidates" int not null default 0, "considered" int not null default 0, "in_scope" int not null default 0, "flagged" int not null default 0, "not_computable" int not null default 0, "cursor_at" timestamptz(3) null, "cursor_id" uuid null, "reason" text null, "created_by" text not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "finished_at" timestamptz(3) null, primary key ("watch_id", "revision"));`,
    );

    this.addSql(
      `create table "watches" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "name" varchar(200) not null, "lane" text not null, "state" text not null default 'draft', "revision" int not null default 1, "origin" text not null, "scope_text" text not null, "scope_code" jsonb not null, "expectation_text" text not null, "expectation_code" jsonb not null, "polarity" text not null, "source_key" text null, "source_version" int null, "source_step" text null, "source_line" int null, "source_text" text null, "source_gone_in" int null, "first_sample" jsonb null, "failing" jsonb null, "created_by" text not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "watches_agent" on "watches" ("agent_id", "created_at", "id");`);
    this.addSql(
      `create unique index "watches_source" on "watches" ("agent_id", "source_key") where "source_key" is not null;`,
    );
    this.addSql(`create index "watches_live" on "watches" ("agent_id", "id") where "state" = 'live';`);

    this.addSql(
      `create table "watch_days" ("watch_id" uuid not null, "version" int not null, "day" date not null, "agent_id" uuid not null, "held" int not null default 0, "broken" int not null default 0, primary key ("watch_id", "version", "day"));`,
    );

    this.addSql(
      `create table "watch_samples" ("watch_id" uuid not null, "revision" int not null, "call_id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "position" int not null, "kind" text not null, "verdict" text not null, "turn" int not null, "quote" text not null, "label" text null, "labelled_by" text null, "labelled_at" timestamptz(3) null, primary key ("watch_id", "revision", "call_id"));`,
    );
    this.addSql(`create index "watch_samples_call" on "watch_samples" ("call_id");`);

    this.addSql(
      `create table "watch_verdicts" ("call_id" uuid not null, "watch_id" uuid not null, "agent_id" uuid not null, "version" int not null, "day" date not null, "in_scope" boolean not null, "held" boolean not null, "by_outcome" boolean not null, "turn" int not null, "quote" text not null, "because" text not null, primary key ("call_id", "watch_id"));`,
    );
    this.addSql(`create index "watch_verdicts_watch" on "watch_verdicts" ("watch_id", "held");`);

    this.addSql(`alter table "workspace_events" drop constraint "workspace_events_kind_check";`);
    this.addSql(
      `alter table "workspace_events" add constraint "workspace_events_kind_check" check ("kind" in ('import.progress', 'import.finished', 'issues.changed', 'issue.opened', 'issue.changed', 'issue.resolved', 'issue.regressed', 'issue.spiked', 'version.new', 'webhook.off', 'run.changed', 'watch.changed', 'watch.backtest', 'watch.failing'));`,
    );

    this.addSql(
      `alter table "backtests" add constraint "backtests_status_check" check ("status" in ('queued', 'running', 'paused', 'complete', 'cancelled', 'failed'));`,
    );
    this.addSql(`alter table "backtests" enable row level security;`);
    this.addSql(`alter table "backtests" force row level security;`);
    this.addSql(
      `create policy "own" on "backtests" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "backtests" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );

    this.addSql(
      `alter table "watches" add constraint "watches_lane_check" check ("lane" in ('hearing', 'understanding', 'flow', 'speaking', 'integrations'));`,
    );
    this.addSql(
      `alter table "watches" add constraint "watches_state_check" check ("state" in ('draft', 'backtesting', 'review', 'live', 'paused', 'rejected'));`,
    );
    this.addSql(
      `alter table "watches" add constraint "watches_origin_check" check ("origin" in ('generated', 'person'));`,
    );
    this.addSql(
      `alter table "watches" add constraint "watches_polarity_check" check ("polarity" in ('must', 'must_not'));`,
    );
    this.addSql(`alter table "watches" enable row level security;`);
    this.addSql(`alter table "watches" force row level security;`);
    this.addSql(
      `create policy "own" on "watches" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "watches" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );

    this.addSql(`alter table "watch_days" enable row level security;`);
    this.addSql(`alter table "watch_days" force row level security;`);
    this.addSql(`create policy "reads" on "watch_days" for select using (agent_id IN ( SELECT a.id
   FROM agents a));`);
    this.addSql(`create policy "adds" on "watch_days" for insert with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "changes" on "watch_days" for update using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)))) with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "removes" on "watch_days" for delete using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);

    this.addSql(
      `alter table "watch_samples" add constraint "watch_samples_kind_check" check ("kind" in ('flagged', 'cleared'));`,
    );
    this.addSql(
      `alter table "watch_samples" add constraint "watch_samples_label_check" check ("label" in ('right', 'wrong'));`,
    );
    this.addSql(`alter table "watch_samples" enable row level security;`);
    this.addSql(`alter table "watch_samples" force row level security;`);
    this.addSql(
      `create policy "own" on "watch_samples" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "watch_samples" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );

    this.addSql(`alter table "watch_verdicts" enable row level security;`);
    this.addSql(`alter table "watch_verdicts" force row level security;`);
    this.addSql(`create policy "reads" on "watch_verdicts" for select using (agent_id IN ( SELECT a.id
   FROM agents a));`);
    this.addSql(`create policy "adds" on "watch_verdicts" for insert with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "changes" on "watch_verdicts" for update using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)))) with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "removes" on "watch_verdicts" for delete using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
  }
}
