import { Migration } from '@mikro-orm/migrations';

const OWN = 'workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)';
const DEMO = 'workspace_id = ( SELECT demo_in_scope() AS demo_in_scope)';
/** Read with a shared demo agent. */
const OF_AGENTS = [
  'attempts',
  'attempt_steps',
  'runs',
  'run_cells',
  'run_documents',
  'tests',
  'test_revisions',
  'test_sets',
];
/** A workspace's alone. */
const APART = ['budget_reservations', 'personas', 'webhooks', 'webhook_deliveries', 'webhook_tries'];
/** Rows that begin something: their agent must be one of their workspace. */
const BEGINNINGS = ['tests', 'test_sets', 'runs', 'attempts'];

/** Tests, the runs that play them, what the runs may cost, and the addresses that are told of it. */
export class Migration20261121190100_tests_and_runs extends Migration {
  override name = 'Migration20261121190100_tests_and_runs';

  override up(): void {
    this.addSql(
      `create table "attempts" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "run_id" uuid not null, "test_id" uuid not null, "persona" varchar(100) not null, "attempt" int not null, "test_revision" int not null, "version" int not null, "state" text not null default 'playing', "ended_by" text null, "trouble" text null, "no_fixture" text[] not null default '{}', "result" text null, "score" jsonb null, "earlier_scores" jsonb not null default '[]', "provider_grader_status" text null, "provider_grader_explanation" text null, "platform_nano_usd" bigint not null default '0', "service_nano_usd" bigint not null default '0', "rescored_at" timestamptz(3) null, "started_at" timestamptz(3) not null default now(), "finished_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "attempts_run" on "attempts" ("run_id", "id");`);
    this.addSql(
      `alter table "attempts" add constraint "attempts_natural_key" unique ("run_id", "test_id", "persona", "attempt");`,
    );
    this.addSql(
      `create table "attempt_steps" ("attempt_id" uuid not null, "step" int not null, "workspace_id" uuid not null, "agent_id" uuid not null, "by" text not null, "turns" jsonb null, "messages" jsonb null, "state" jsonb null, "flow_steps" text[] not null default '{}', "no_fixture" text[] not null default '{}', "ended" text null, "created_at" timestamptz(3) not null default now(), primary key ("attempt_id", "step"));`,
    );
    this.addSql(
      `create table "budget_reservations" ("run_id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "api_key_id" uuid null, "month" date not null, "held_nano_usd" bigint not null, "spent_nano_usd" bigint not null default '0', "test_calls" int not null default 0, "settled_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), primary key ("run_id"));`,
    );
    this.addSql(`create index "budget_reservations_agent" on "budget_reservations" ("agent_id", "month");`);
    this.addSql(`create index "budget_reservations_key" on "budget_reservations" ("api_key_id", "month");`);
    this.addSql(
      `create table "personas" ("id" uuid not null, "workspace_id" uuid not null, "name" varchar(100) not null, "style" text not null, "created_by" text not null, "created_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "personas_workspace" on "personas" ("workspace_id", "created_at", "id");`);
    this.addSql(
      `create table "runs" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "kind" text not null default 'run', "trigger" text not null, "status" text not null default 'queued', "message" text null, "version" int not null, "config_hash" text null, "test_set_id" uuid null, "test_ids" uuid[] not null, "personas" text[] null, "repeats" int null, "shadow_agent_id" uuid null, "cells_requested" int not null, "cells_runnable" int not null, "cells_done" int not null default 0, "summary" jsonb null, "epoch" jsonb null, "platform_nano_usd" bigint not null default '0', "service_nano_usd" bigint not null default '0', "decision" text null, "decision_reason" text null, "approval_mode" text null, "decided_by" uuid null, "decided_at" timestamptz(3) null, "waits_until" timestamptz(3) null, "rescores" int not null default 0, "rescoring" boolean not null default false, "retries" int not null default 0, "created_by" text not null, "api_key_id" uuid null, "started_at" timestamptz(3) null, "finished_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "runs_agent" on "runs" ("agent_id", "created_at", "id");`);
    this.addSql(`create index "runs_complete" on "runs" ("agent_id", "finished_at", "id");`);
    this.addSql(
      `create table "run_cells" ("run_id" uuid not null, "test_id" uuid not null, "persona" varchar(100) not null, "workspace_id" uuid not null, "agent_id" uuid not null, "position" int not null, "test_revision" int not null, "source" text not null, "lane" text null, "expect" text not null, "guard" boolean not null, "gates" boolean not null, "gate_reason" text null, "runnable" boolean not null, "result" text null, "k" int not null default 0, "n" int not null default 0, "reason" text null, primary key ("run_id", "test_id", "persona"));`,
    );
    this.addSql(`create index "run_cells_order" on "run_cells" ("run_id", "position");`);
    this.addSql(
      `create table "run_documents" ("run_id" uuid not null, "score" int not null, "workspace_id" uuid not null, "agent_id" uuid not null, "epoch" jsonb not null, "compared_to_id" uuid null, "body" text not null, "sha256" text not null, "created_at" timestamptz(3) not null default now(), primary key ("run_id", "score"));`,
    );
    this.addSql(
      `create table "tests" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "title" varchar(200) not null, "source" text not null, "lane" text null, "expect" text not null default 'pass', "guard" boolean not null default false, "gates" boolean not null default false, "gate_reason" text not null, "revision" int not null default 1, "source_call_id" uuid null, "generated_from" text null, "created_by" text not null, "archived_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "tests_agent" on "tests" ("agent_id", "created_at", "id");`);
    this.addSql(
      `create table "test_revisions" ("test_id" uuid not null, "revision" int not null, "workspace_id" uuid not null, "agent_id" uuid not null, "spec" jsonb not null, "created_by" text not null, "created_at" timestamptz(3) not null default now(), primary key ("test_id", "revision"));`,
    );
    this.addSql(
      `create table "test_sets" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "name" varchar(200) not null, "test_ids" uuid[] not null, "created_by" text not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "test_sets_agent" on "test_sets" ("agent_id", "created_at", "id");`);
    this.addSql(
      `create table "webhooks" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid null, "url" text not null, "events" text[] not null, "sealed_secret" text not null, "sealed_previous_secret" text null, "previous_secret_ends_at" timestamptz(3) null, "enabled" boolean not null default true, "off_reason" text null, "failing_since" timestamptz(3) null, "created_by" uuid not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), "deleted_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "webhooks_workspace" on "webhooks" ("workspace_id", "created_at", "id");`);
    this.addSql(
      `create table "webhook_deliveries" ("id" uuid not null, "workspace_id" uuid not null, "webhook_id" uuid not null, "agent_id" uuid null, "event" text not null, "event_key" text not null, "body" text null, "state" text not null default 'pending', "tries" int not null default 0, "last_tried_at" timestamptz(3) null, "next_try_at" timestamptz(3) null, "last_status" int null, "last_error" text null, "delivered_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "webhook_deliveries_log" on "webhook_deliveries" ("webhook_id", "created_at", "id");`);
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_event" unique ("webhook_id", "event", "event_key");`,
    );
    this.addSql(
      `create table "webhook_tries" ("delivery_id" uuid not null, "try" int not null, "workspace_id" uuid not null, "status" int null, "error" text null, "duration_ms" int not null, "at" timestamptz(3) not null default now(), primary key ("delivery_id", "try"));`,
    );
    this.addSql(
      `alter table "agents" add "test_budget_usd" numeric(12,4) null, add "simulated_call_usd" numeric(12,6) null, add "auto_runs" boolean not null default true, add "test_count" int not null default 0;`,
    );
    this.addSql(`alter table "plan_usage" add "test_calls" int not null default 0;`);
    this.addSql(
      `alter table "attempts" add constraint "attempts_state_check" check ("state" in ('playing', 'played', 'scored'));`,
    );
    this.addSql(
      `alter table "attempts" add constraint "attempts_ended_by_check" check ("ended_by" in ('agent', 'caller', 'transfer', 'limit'));`,
    );
    this.addSql(
      `alter table "attempts" add constraint "attempts_result_check" check ("result" in ('passed', 'failed', 'error', 'drift'));`,
    );
    this.addSql(
      `alter table "attempt_steps" add constraint "attempt_steps_by_check" check ("by" in ('caller', 'agent'));`,
    );
    this.addSql(
      `alter table "attempt_steps" add constraint "attempt_steps_ended_check" check ("ended" in ('agent', 'caller', 'transfer'));`,
    );
    this.addSql(`alter table "runs" add constraint "runs_kind_check" check ("kind" in ('run', 'calibration'));`);
    this.addSql(
      `alter table "runs" add constraint "runs_trigger_check" check ("trigger" in ('manual', 'auto', 'ci'));`,
    );
    this.addSql(
      `alter table "runs" add constraint "runs_status_check" check ("status" in ('queued', 'awaiting_approval', 'running', 'complete', 'refused', 'failed'));`,
    );
    this.addSql(
      `alter table "runs" add constraint "runs_decision_check" check ("decision" in ('approved', 'refused', 'cancelled'));`,
    );
    this.addSql(
      `alter table "runs" add constraint "runs_approval_mode_check" check ("approval_mode" in ('all', 'covered'));`,
    );
    this.addSql(
      `alter table "run_cells" add constraint "run_cells_source_check" check ("source" in ('production', 'written', 'generated'));`,
    );
    this.addSql(
      `alter table "run_cells" add constraint "run_cells_lane_check" check ("lane" in ('hearing', 'understanding', 'flow', 'speaking', 'integrations'));`,
    );
    this.addSql(
      `alter table "run_cells" add constraint "run_cells_expect_check" check ("expect" in ('pass', 'fail'));`,
    );
    this.addSql(
      `alter table "run_cells" add constraint "run_cells_result_check" check ("result" in ('passed', 'failed', 'flaky', 'error', 'drift', 'not_run'));`,
    );
    this.addSql(
      `alter table "tests" add constraint "tests_source_check" check ("source" in ('production', 'written', 'generated'));`,
    );
    this.addSql(
      `alter table "tests" add constraint "tests_lane_check" check ("lane" in ('hearing', 'understanding', 'flow', 'speaking', 'integrations'));`,
    );
    this.addSql(`alter table "tests" add constraint "tests_expect_check" check ("expect" in ('pass', 'fail'));`);
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_event_check" check ("event" in ('run.completed', 'run.awaiting_approval', 'issue.opened', 'issue.regressed', 'issue.resolved', 'watch.failing', 'import.stuck'));`,
    );
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_state_check" check ("state" in ('pending', 'delivered', 'failed'));`,
    );
    for (const table of [...OF_AGENTS, ...APART]) {
      this.addSql(`alter table "${table}" enable row level security;`);
      this.addSql(`alter table "${table}" force row level security;`);
      this.addSql(`create policy "own" on "${table}" using (${OWN}) with check (${OWN});`);
    }
    for (const table of OF_AGENTS) this.addSql(`create policy "demo" on "${table}" for select using (${DEMO});`);
    for (const table of BEGINNINGS) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_fence" foreign key ("workspace_id", "agent_id") references "agents" ("workspace_id", "id")`,
      );
    }
  }
}
