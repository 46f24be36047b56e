import { Migration } from '@mikro-orm/migrations';

export class Migration20261121000000 extends Migration {
  override name = 'Migration20261121000000';

  override up(): void | Promise<void> {
    this.addSql(
      `create table "agents" ("id" uuid not null, "workspace_id" uuid not null, "connection_id" uuid null, "name" varchar(200) not null, "provider" text not null, "provider_agent_id" text not null, "source" text not null, "current_version" int not null default 1, "setup_status" text not null default 'pending', "onboarding_step" text not null default 'connect', "read_only" boolean not null default false, "grace_days" int not null default 7, "board_source" text not null default 'detector', "thresholds" jsonb not null default '{}', "settings" jsonb not null default '{}', "bookmark_at" timestamptz(3) null, "call_count" int not null default 0, "open_issue_count" int not null default 0, "version_count" int not null default 0, "version_totals" jsonb not null default '[]', "newest_call_at" timestamptz(3) null, "evidence_revision" bigint not null default '0', "grouped_revision" bigint not null default '0', "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "agents_workspace" on "agents" ("workspace_id", "created_at", "id");`);
    this.addSql(
      `alter table "agents" add constraint "agents_natural_key" unique ("workspace_id", "provider", "provider_agent_id");`,
    );

    this.addSql(
      `create table "agent_versions" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "version" int not null, "provider_ref" text null, "config_captured" boolean not null default false, "configuration" jsonb null, "captured_document" jsonb null, "config_hash" text null, "detected_at" timestamptz(3) not null default now(), "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `alter table "agent_versions" add constraint "agent_versions_natural_key" unique ("agent_id", "version");`,
    );

    this.addSql(
      `create table "api_keys" ("id" uuid not null, "workspace_id" uuid not null, "name" varchar(100) not null, "access" text not null, "agent_id" uuid null, "monthly_budget_usd" numeric(12,4) null, "secret_hash" text not null, "prefix" varchar(10) not null, "created_by" uuid not null, "created_at" timestamptz(3) not null default now(), "last_used_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`alter table "api_keys" add constraint "api_keys_secret_unique" unique ("secret_hash");`);
    this.addSql(`create index "api_keys_workspace" on "api_keys" ("workspace_id", "created_at");`);

    this.addSql(
      `create table "audit_entries" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid null, "surface" text not null, "principal_kind" text not null, "api_key_id" uuid null, "person_id" uuid null, "tool" text null, "operation" text not null, "target_ids" jsonb not null, "args_hash" text not null, "status" int not null, "goal_id" uuid null, "created_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `create index "audit_entries_agent" on "audit_entries" ("workspace_id", "agent_id", "created_at", "id");`,
    );

    this.addSql(
      `create table "buckets" ("name" text not null, "full_at" timestamptz(6) not null, primary key ("name"));`,
    );

    this.addSql(
      `create table "calls" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "import_id" uuid null, "provider_call_id" text not null, "payload_digest" text not null, "state" text not null default 'waiting', "state_reason" text null, "analysis_tries" int not null default 0, "version" int not null, "started_at" timestamptz(3) null, "ended_at" timestamptz(3) null, "sort_at" timestamptz(3) generated always as (COALESCE(started_at, '0001-01-01 00:00:00+00'::timestamp with time zone)) stored not null, "duration_ms" int not null, "direction" text not null, "disconnection_reason" text not null, "cost_usd" double precision null, "caller_key" text null, "caller_kind" text not null default 'unknown', "caller_nth" int not null default 1, "caller_of" int not null default 1, "outcome" text null, "outcome_confidence" double precision null, "bad_ending_score" double precision null, "ended_badly" boolean not null default false, "caller_spoke" boolean not null default false, "objective" text null, "intent_slug" text null, "use_case_slug" text null, "sub_use_case_slug" text null, "persona_slug" text null, "turns" int not null default 0, "caller_turns" int not null default 0, "agent_turns" int not null default 0, "tool_failures" int not null default 0, "frictions" int not null default 0, "signal_codes" text[] not null default '{}', "profile_id" uuid null, "visit_set_id" uuid null, "reanalyse" boolean not null default false, "analyser_version" int null, "analysed_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `create index "calls_list" on "calls" ("agent_id", "sort_at" desc, "id" desc) where "state" = 'analysed';`,
    );
    this.addSql(
      `create index "calls_list_outcome" on "calls" ("agent_id", "outcome", "sort_at" desc, "id" desc) where "state" = 'analysed';`,
    );
    this.addSql(
      `create index "calls_list_version" on "calls" ("agent_id", "version", "sort_at" desc, "id" desc) where "state" = 'analysed';`,
    );
    this.addSql(
      `create index "calls_list_intent" on "calls" ("agent_id", "intent_slug", "sort_at" desc, "id" desc) where "state" = 'analysed';`,
    );
    this.addSql(
      `create index "calls_not_analysed" on "calls" ("agent_id", "state", "sort_at", "id") where "state" <> 'analysed' or "reanalyse";`,
    );
    this.addSql(
      `create index "calls_caller" on "calls" ("agent_id", "caller_key") where "caller_key" is not null and "state" = 'analysed';`,
    );
    this.addSql(`alter table "calls" add constraint "calls_natural_key" unique ("agent_id", "provider_call_id");`);

    this.addSql(
      `create table "call_analyses" ("call_id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "analyser_version" int not null, "analysis" jsonb not null, "created_at" timestamptz(3) not null default now(), primary key ("call_id"));`,
    );

    this.addSql(
      `create table "call_codes" ("call_id" uuid not null, "code" text not null, "agent_id" uuid not null, "sort_at" timestamptz(3) not null, "outcome" text not null, "version" int not null, primary key ("call_id", "code"));`,
    );
    this.addSql(
      `create index "call_codes_list" on "call_codes" ("agent_id", "code", "sort_at" desc, "call_id" desc) include ("outcome", "version");`,
    );

    this.addSql(
      `create table "call_signals" ("call_id" uuid not null, "ordinal" int not null, "workspace_id" uuid not null, "agent_id" uuid not null, "code" text not null, "klass" text not null, "lane" text null, "severity" text not null, "confidence" double precision not null, "place_kind" text not null, "place_id" text not null, "place_label" text not null, "turn_index" int not null, "quote" text not null, "detail" text not null, "cause_code" text null, "cause_label" text null, "cause_detail" text null, "cause_category" text null, "cause_party" text null, primary key ("call_id", "ordinal"));`,
    );
    this.addSql(
      `create index "call_signals_group" on "call_signals" ("agent_id", "code", "place_kind", md5("place_id"));`,
    );

    this.addSql(
      `create table "computability_profiles" ("id" uuid not null, "agent_id" uuid not null, "digest" text not null, "not_computable" jsonb not null, primary key ("id"));`,
    );
    this.addSql(
      `alter table "computability_profiles" add constraint "computability_profiles_natural_key" unique ("agent_id", "digest");`,
    );

    this.addSql(
      `create table "idempotency_records" ("caller" text not null, "operation" text not null, "key" varchar(255) not null, "args_digest" text not null, "token" uuid not null, "status" int null, "answer" text null, "resource_id" text null, "claimed_at" timestamptz(3) not null default now(), "created_at" timestamptz(3) not null default now(), primary key ("caller", "operation", "key"));`,
    );

    this.addSql(
      `create table "imports" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "kind" text not null, "status" text not null default 'queued', "attempt" int not null default 1, "call_limit" int null, "window_from" timestamptz(3) null, "window_to" timestamptz(3) null, "cursor" text null, "listing_ended" boolean not null default false, "pages" int not null default 0, "listed" int not null default 0, "stored" int not null default 0, "unchanged" int not null default 0, "analysed" int not null default 0, "waiting" int not null default 0, "failed" int not null default 0, "ongoing" int not null default 0, "gone" int not null default 0, "oldest_ongoing_at" timestamptz(3) null, "waits_for" text null, "reason" text null, "created_at" timestamptz(3) not null default now(), "started_at" timestamptz(3) null, "finished_at" timestamptz(3) null, "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "imports_agent" on "imports" ("agent_id", "created_at", "id");`);

    this.addSql(
      `create table "import_failures" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "import_id" uuid not null, "ref" text not null, "reason" text not null, "sealed_payload" text null, "resolved_at" timestamptz(3) null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "import_failures_import" on "import_failures" ("import_id", "id");`);
    this.addSql(
      `alter table "import_failures" add constraint "import_failures_natural_key" unique ("agent_id", "ref");`,
    );

    this.addSql(
      `create table "intents" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "kind" text not null, "slug" text not null, "label" text not null, "terms" jsonb not null default '{}', "calls" int not null default 0, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`alter table "intents" add constraint "intents_natural_key" unique ("agent_id", "kind", "slug");`);

    this.addSql(
      `create table "issues" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "key" text not null, "source" text not null default 'detector', "code" text not null, "place_kind" text not null, "place_id" text not null, "place_label" text not null, "split_cause" text not null default '', "klass" text not null, "lane" text null, "severity" text not null, "title" text not null, "status" text not null default 'discovered', "count_only" boolean not null default false, "confirmed" boolean not null default false, "confirmed_at" timestamptz(3) null, "withdrawn_at" timestamptz(3) null, "cause_code" text null, "cause_label" text null, "cause_detail" text null, "cause_established" boolean not null default false, "section" text not null default 'hidden', "section_note" text null, "target_kind" text not null, "target_id" text not null, "target_label" text not null, "symptoms" jsonb not null default '[]', "intent_slug" text null, "likely_cause" text null, "recommendation" text null, "volume" int not null default 0, "rate" double precision not null default 0, "failed_outcome_share" double precision not null default 0, "impact" text not null default 'low', "confidence" double precision not null default 0, "order_key" double precision not null default -1000000000, "priority_parts" jsonb not null default '{}', "downstream_of_id" uuid null, "merged_into_id" uuid null, "first_seen_version" int null, "last_seen_version" int null, "first_seen_at" timestamptz(3) null, "last_seen_at" timestamptz(3) null, "fell_on_live" boolean not null default false, "calls_by_version" jsonb not null default '[]', "diagnosis" jsonb null, "fix" jsonb null, "fix_version" int null, "state_digest" text not null default '', "resolved_at" timestamptz(3) null, "rejected" boolean not null default false, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `create index "issues_board" on "issues" ("agent_id", (("section" = 'not_established')), "fell_on_live", (- "order_key"), "id") where "section" <> 'hidden' and "withdrawn_at" is null;`,
    );
    this.addSql(
      `create index "issues_downstream" on "issues" ("downstream_of_id") where "downstream_of_id" is not null;`,
    );
    this.addSql(`alter table "issues" add constraint "issues_key" unique ("agent_id", "key");`);
    this.addSql(
      `create unique index "issues_group" on "issues" ("agent_id", "source", "code", "place_kind", md5("place_id"), "split_cause");`,
    );

    this.addSql(
      `create table "issue_calls" ("issue_id" uuid not null, "call_id" uuid not null, "agent_id" uuid not null, "sort_at" timestamptz(3) not null, "outcome" text not null, "version" int not null, "first_turn" int not null, "own" boolean not null default true, "confidence_milli" int not null, primary key ("issue_id", "call_id"));`,
    );
    this.addSql(
      `create index "issue_calls_list" on "issue_calls" ("issue_id", "sort_at" desc, "call_id" desc) include ("outcome", "version");`,
    );

    this.addSql(
      `create table "issue_causes" ("issue_id" uuid not null, "cause_code" text not null, "agent_id" uuid not null, "calls" int not null default 0, primary key ("issue_id", "cause_code"));`,
    );
    this.addSql(`create index "issue_causes_agent" on "issue_causes" ("agent_id");`);

    this.addSql(
      `create table "issue_days" ("issue_id" uuid not null, "day" date not null, "agent_id" uuid not null, "calls" int not null default 0, primary key ("issue_id", "day"));`,
    );
    this.addSql(`create index "issue_days_agent" on "issue_days" ("agent_id", "day");`);

    this.addSql(
      `create table "issue_history" ("id" uuid not null, "issue_id" uuid not null, "agent_id" uuid not null, "from_status" text null, "to_status" text not null, "trigger" text not null, "person_id" uuid null, "reason" text null, "created_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "issue_history_issue" on "issue_history" ("issue_id", "created_at", "id");`);

    this.addSql(
      `create table "issue_intents" ("issue_id" uuid not null, "intent_slug" text not null, "agent_id" uuid not null, "calls" int not null default 0, primary key ("issue_id", "intent_slug"));`,
    );
    this.addSql(`create index "issue_intents_agent" on "issue_intents" ("agent_id");`);

    this.addSql(
      `create table "issue_pairs" ("first_issue_id" uuid not null, "then_issue_id" uuid not null, "agent_id" uuid not null, "calls" int not null default 0, primary key ("first_issue_id", "then_issue_id"));`,
    );
    this.addSql(`create index "issue_pairs_agent" on "issue_pairs" ("agent_id");`);

    this.addSql(
      `create table "issue_rollups" ("issue_id" uuid not null, "version" int not null, "agent_id" uuid not null, "calls" int not null default 0, "spoke" int not null default 0, "bad" int not null default 0, "resolved" int not null default 0, "unresolved" int not null default 0, "transferred" int not null default 0, "abandoned" int not null default 0, "no_contact" int not null default 0, "duration_s" bigint not null default '0', "duration_square_s" bigint not null default '0', "own_calls" int not null default 0, "confidence_milli" bigint not null default '0', primary key ("issue_id", "version"));`,
    );
    this.addSql(`create index "issue_rollups_agent" on "issue_rollups" ("agent_id");`);

    this.addSql(
      `create table "memberships" ("workspace_id" uuid not null, "person_id" uuid not null, "role" text not null, "created_at" timestamptz(3) not null default now(), primary key ("workspace_id", "person_id"));`,
    );
    this.addSql(`create index "memberships_person" on "memberships" ("person_id");`);

    this.addSql(
      `create table "one_time_links" ("id" uuid not null, "secret_hash" text not null, "purpose" text not null, "workspace_id" uuid not null, "person_id" uuid not null, "role" text null, "name" varchar(200) null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`alter table "one_time_links" add constraint "one_time_links_secret_unique" unique ("secret_hash");`);

    this.addSql(
      `create table "people" ("id" uuid not null, "email" varchar(320) not null, "name" varchar(200) not null, "password_hash" text null, "created_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`alter table "people" add constraint "people_email_unique" unique ("email");`);

    this.addSql(
      `create table "place_rollups" ("agent_id" uuid not null, "place_kind" text not null, "place_digest" text not null, "profile_id" uuid not null, "version" int not null, "day" date not null, "calls" int not null default 0, "spoke" int not null default 0, "bad" int not null default 0, "resolved" int not null default 0, "unresolved" int not null default 0, "transferred" int not null default 0, "abandoned" int not null default 0, "no_contact" int not null default 0, "duration_s" bigint not null default '0', "duration_square_s" bigint not null default '0', "first_started_at" timestamptz(3) null, "last_started_at" timestamptz(3) null, primary key ("agent_id", "place_kind", "place_digest", "profile_id", "version", "day"));`,
    );

    this.addSql(
      `create table "platform_connections" ("id" uuid not null, "workspace_id" uuid not null, "platform" text not null, "base_url" text null, "sealed_key" text null, "created_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "platform_connections_workspace" on "platform_connections" ("workspace_id");`);

    this.addSql(
      `create table "processes_seen" ("id" uuid not null, "kind" text not null, "pid" int not null, "host" text not null, "started_at" timestamptz(3) not null default now(), "seen_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );

    this.addSql(
      `create table "raw_payloads" ("call_id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "sealed" bytea not null, "stored_at" timestamptz(3) not null default now(), primary key ("call_id"));`,
    );
    this.addSql(`create index "raw_payloads_stored" on "raw_payloads" ("stored_at");`);

    this.addSql(
      `create table "sessions" ("id" uuid not null, "workspace_id" uuid not null, "person_id" uuid not null, "secret_hash" text not null, "previous_secret_hash" text null, "rotated_at" timestamptz(3) null, "rotates" boolean not null default true, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, "revoked_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`alter table "sessions" add constraint "sessions_secret_unique" unique ("secret_hash");`);
    this.addSql(`create index "sessions_previous_secret" on "sessions" ("previous_secret_hash");`);

    this.addSql(
      `create table "start_orders" ("id" uuid not null, "workflow" text not null, "workflow_id" text not null, "action" text not null default 'start', "start_args" jsonb not null default '[]', "signal_args" jsonb not null default '[]', "workspace_id" uuid not null, "agent_id" uuid null, "created_at" timestamptz(3) not null default now(), "leased_until" timestamptz(3) null, "tries" int not null default 0, "last_error" text null, "sent_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`create index "start_orders_open" on "start_orders" ("created_at") where "sent_at" is null;`);

    this.addSql(
      `create table "transcripts" ("call_id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "call" jsonb not null, "pending" jsonb null, primary key ("call_id"));`,
    );

    this.addSql(
      `create table "uploaded_records" ("import_id" uuid not null, "line" int not null, "sealed_payload" text not null, primary key ("import_id", "line"));`,
    );

    this.addSql(
      `create table "visit_sets" ("id" uuid not null, "agent_id" uuid not null, "digest" text not null, "places" jsonb not null, primary key ("id"));`,
    );
    this.addSql(`alter table "visit_sets" add constraint "visit_sets_natural_key" unique ("agent_id", "digest");`);

    this.addSql(
      `create table "workspaces" ("id" uuid not null, "name" varchar(100) not null, "plan" text not null default 'enterprise', "plan_since" timestamptz(3) not null default now(), "allowances" jsonb not null default '{}', "is_system" boolean not null default false, "created_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );

    this.addSql(
      `create table "workspace_events" ("workspace_id" uuid not null, "id" bigint not null, "agent_id" uuid null, "kind" text not null, "ref" uuid null, "created_at" timestamptz(3) not null default now(), primary key ("workspace_id", "id"));`,
    );

    this.addSql(
      `alter table "agents" add constraint "agents_grace_days_check" check (((grace_days >= 1) AND (grace_days <= 90)));`,
    );
    this.addSql(
      `alter table "agents" add constraint "agents_provider_check" check ("provider" in ('retell', 'vapi', 'elevenlabs', 'file', 'demo'));`,
    );
    this.addSql(
      `alter table "agents" add constraint "agents_setup_status_check" check ("setup_status" in ('pending', 'approved', 'rejected'));`,
    );
    this.addSql(
      `alter table "agents" add constraint "agents_onboarding_step_check" check ("onboarding_step" in ('connect', 'brief', 'importing', 'done'));`,
    );
    this.addSql(
      `alter table "agents" add constraint "agents_board_source_check" check ("board_source" in ('detector', 'outcome'));`,
    );

    this.addSql(`alter table "api_keys" add constraint "api_keys_access_check" check ("access" in ('read', 'write'));`);

    this.addSql(
      `alter table "audit_entries" add constraint "audit_entries_surface_check" check ("surface" in ('v1', 'mcp', 'copilot', 'app'));`,
    );
    this.addSql(
      `alter table "audit_entries" add constraint "audit_entries_principal_kind_check" check ("principal_kind" in ('person', 'key', 'copilot'));`,
    );

    this.addSql(
      `alter table "calls" add constraint "calls_state_check" check ("state" in ('waiting', 'analysed', 'failed'));`,
    );
    this.addSql(
      `alter table "calls" add constraint "calls_direction_check" check ("direction" in ('inbound', 'outbound', 'web'));`,
    );
    this.addSql(
      `alter table "calls" add constraint "calls_caller_kind_check" check ("caller_kind" in ('new', 'repeat', 'unknown'));`,
    );
    this.addSql(
      `alter table "calls" add constraint "calls_outcome_check" check ("outcome" in ('resolved', 'unresolved', 'transferred', 'abandoned', 'no_contact'));`,
    );

    this.addSql(
      `alter table "call_codes" add constraint "call_codes_outcome_check" check ("outcome" in ('resolved', 'unresolved', 'transferred', 'abandoned', 'no_contact'));`,
    );

    this.addSql(
      `alter table "call_signals" add constraint "call_signals_klass_check" check ("klass" in ('technical', 'flow', 'content', 'behaviour'));`,
    );
    this.addSql(
      `alter table "call_signals" add constraint "call_signals_lane_check" check ("lane" in ('hearing', 'understanding', 'flow', 'speaking', 'integrations'));`,
    );
    this.addSql(
      `alter table "call_signals" add constraint "call_signals_severity_check" check ("severity" in ('critical', 'high', 'medium', 'low'));`,
    );
    this.addSql(
      `alter table "call_signals" add constraint "call_signals_place_kind_check" check ("place_kind" in ('tool', 'node', 'prompt', 'platform', 'knowledge', 'agent'));`,
    );

    this.addSql(
      `alter table "imports" add constraint "imports_kind_check" check ("kind" in ('first', 'manual', 'poll', 'file', 'retry'));`,
    );
    this.addSql(
      `alter table "imports" add constraint "imports_status_check" check ("status" in ('queued', 'running', 'paused', 'complete', 'failed', 'cancelled'));`,
    );

    this.addSql(
      `alter table "intents" add constraint "intents_kind_check" check ("kind" in ('intent', 'use_case', 'sub_use_case', 'persona'));`,
    );

    this.addSql(
      `alter table "issues" add constraint "issues_source_check" check ("source" in ('detector', 'outcome'));`,
    );
    this.addSql(
      `alter table "issues" add constraint "issues_place_kind_check" check ("place_kind" in ('tool', 'node', 'prompt', 'platform', 'knowledge', 'agent'));`,
    );
    this.addSql(
      `alter table "issues" add constraint "issues_klass_check" check ("klass" in ('technical', 'flow', 'content', 'behaviour'));`,
    );
    this.addSql(
      `alter table "issues" add constraint "issues_lane_check" check ("lane" in ('hearing', 'understanding', 'flow', 'speaking', 'integrations'));`,
    );
    this.addSql(
      `alter table "issues" add constraint "issues_severity_check" check ("severity" in ('critical', 'high', 'medium', 'low'));`,
    );
    this.addSql(
      `alter table "issues" add constraint "issues_status_check" check ("status" in ('discovered', 'investigating', 'fix_deployed', 'measuring', 'resolved', 'regressed'));`,
    );
    this.addSql(
      `alter table "issues" add constraint "issues_section_check" check ("section" in ('fix', 'improve', 'not_established', 'hidden'));`,
    );
    this.addSql(
      `alter table "issues" add constraint "issues_impact_check" check ("impact" in ('low', 'medium', 'high'));`,
    );

    this.addSql(
      `alter table "issue_calls" add constraint "issue_calls_outcome_check" check ("outcome" in ('resolved', 'unresolved', 'transferred', 'abandoned', 'no_contact'));`,
    );

    this.addSql(
      `alter table "issue_history" add constraint "issue_history_from_status_check" check ("from_status" in ('discovered', 'investigating', 'fix_deployed', 'measuring', 'resolved', 'regressed'));`,
    );
    this.addSql(
      `alter table "issue_history" add constraint "issue_history_to_status_check" check ("to_status" in ('discovered', 'investigating', 'fix_deployed', 'measuring', 'resolved', 'regressed'));`,
    );

    this.addSql(
      `alter table "memberships" add constraint "memberships_role_check" check ("role" in ('admin', 'member'));`,
    );

    this.addSql(
      `alter table "one_time_links" add constraint "one_time_links_purpose_check" check ("purpose" in ('first_admin', 'invitation', 'password'));`,
    );
    this.addSql(
      `alter table "one_time_links" add constraint "one_time_links_role_check" check ("role" in ('admin', 'member'));`,
    );

    this.addSql(
      `alter table "place_rollups" add constraint "place_rollups_place_kind_check" check ("place_kind" in ('tool', 'node', 'prompt', 'platform', 'knowledge', 'agent'));`,
    );

    this.addSql(
      `alter table "platform_connections" add constraint "platform_connections_platform_check" check ("platform" in ('retell', 'vapi', 'elevenlabs', 'file', 'demo'));`,
    );

    this.addSql(
      `alter table "processes_seen" add constraint "processes_seen_kind_check" check ("kind" in ('api', 'worker'));`,
    );

    this.addSql(
      `alter table "workspaces" add constraint "workspaces_plan_check" check ("plan" in ('free_org', 'starter', 'growth', 'scale', 'enterprise'));`,
    );

    this.addSql(
      `alter table "workspace_events" add constraint "workspace_events_kind_check" check ("kind" in ('import.progress', 'import.finished', 'issues.changed'));`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop table if exists "agents" cascade;`);
    this.addSql(`drop table if exists "agent_versions" cascade;`);
    this.addSql(`drop table if exists "api_keys" cascade;`);
    this.addSql(`drop table if exists "audit_entries" cascade;`);
    this.addSql(`drop table if exists "buckets" cascade;`);
    this.addSql(`drop table if exists "calls" cascade;`);
    this.addSql(`drop table if exists "call_analyses" cascade;`);
    this.addSql(`drop table if exists "call_codes" cascade;`);
    this.addSql(`drop table if exists "call_signals" cascade;`);
    this.addSql(`drop table if exists "computability_profiles" cascade;`);
    this.addSql(`drop table if exists "idempotency_records" cascade;`);
    this.addSql(`drop table if exists "imports" cascade;`);
    this.addSql(`drop table if exists "import_failures" cascade;`);
    this.addSql(`drop table if exists "intents" cascade;`);
    this.addSql(`drop table if exists "issues" cascade;`);
    this.addSql(`drop table if exists "issue_calls" cascade;`);
    this.addSql(`drop table if exists "issue_causes" cascade;`);
    this.addSql(`drop table if exists "issue_days" cascade;`);
    this.addSql(`drop table if exists "issue_history" cascade;`);
    this.addSql(`drop table if exists "issue_intents" cascade;`);
    this.addSql(`drop table if exists "issue_pairs" cascade;`);
    this.addSql(`drop table if exists "issue_rollups" cascade;`);
    this.addSql(`drop table if exists "memberships" cascade;`);
    this.addSql(`drop table if exists "one_time_links" cascade;`);
    this.addSql(`drop table if exists "people" cascade;`);
    this.addSql(`drop table if exists "place_rollups" cascade;`);
    this.addSql(`drop table if exists "platform_connections" cascade;`);
    this.addSql(`drop table if exists "processes_seen" cascade;`);
    this.addSql(`drop table if exists "raw_payloads" cascade;`);
    this.addSql(`drop table if exists "sessions" cascade;`);
    this.addSql(`drop table if exists "start_orders" cascade;`);
    this.addSql(`drop table if exists "transcripts" cascade;`);
    this.addSql(`drop table if exists "uploaded_records" cascade;`);
    this.addSql(`drop table if exists "visit_sets" cascade;`);
    this.addSql(`drop table if exists "workspaces" cascade;`);
    this.addSql(`drop table if exists "workspace_events" cascade;`);
  }
}
