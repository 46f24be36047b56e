import { Migration } from '@mikro-orm/migrations';

const PLATFORMS = `'retell', 'vapi', 'elevenlabs', 'livekit', 'pipecat', 'otel', 'file', 'demo'`;
const OWN = 'workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)';

/** Agents that send their calls: tokens that let calls in for one agent, and spans until a call is made of them. */
export class Migration20261122190000_ingest extends Migration {
  override name = 'Migration20261122190000_ingest';

  override up(): void {
    this.addSql(`alter table "agents" drop constraint "agents_provider_check";`);
    this.addSql(`alter table "agents" add constraint "agents_provider_check" check ("provider" in (${PLATFORMS}));`);
    this.addSql(`alter table "platform_connections" drop constraint "platform_connections_platform_check";`);
    this.addSql(
      `alter table "platform_connections" add constraint "platform_connections_platform_check" check ("platform" in (${PLATFORMS}));`,
    );
    this.addSql(`alter table "imports" drop constraint "imports_kind_check";`);
    this.addSql(
      `alter table "imports" add constraint "imports_kind_check" check ("kind" in ('first', 'manual', 'poll', 'file', 'ingest', 'retry'));`,
    );
    this.addSql(
      `create table "ingest_tokens" ("id" uuid not null, "workspace_id" uuid not null, "connection_id" uuid not null, "agent_id" uuid not null, "name" varchar(100) not null, "secret_hash" text not null, "prefix" varchar(10) not null, "created_by" uuid not null, "created_at" timestamptz(3) not null default now(), "last_used_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, primary key ("id"));`,
    );
    this.addSql(`alter table "ingest_tokens" add constraint "ingest_tokens_secret_unique" unique ("secret_hash");`);
    this.addSql(`create index "ingest_tokens_connection" on "ingest_tokens" ("connection_id", "created_at");`);
    this.addSql(
      `create table "span_traces" ("agent_id" uuid not null, "trace_id" text not null, "workspace_id" uuid not null, "call_refs" text[] not null, "ended" boolean not null default false, "spans" int not null default 0, "last_at" timestamptz(3) not null default now(), "due_at" timestamptz(3) null, primary key ("agent_id", "trace_id"));`,
    );
    this.addSql(`create index "span_traces_due" on "span_traces" ("agent_id", "due_at") where "due_at" is not null;`);
    this.addSql(`create index "span_traces_refs" on "span_traces" using gin ("call_refs");`);
    this.addSql(
      `create table "span_batches" ("agent_id" uuid not null, "trace_id" text not null, "digest" text not null, "workspace_id" uuid not null, "sealed" bytea not null, "received_at" timestamptz(3) not null default now(), primary key ("agent_id", "trace_id", "digest"));`,
    );
    for (const table of ['span_traces', 'span_batches']) {
      this.addSql(`alter table "${table}" enable row level security;`);
      this.addSql(`alter table "${table}" force row level security;`);
      this.addSql(`create policy "own" on "${table}" using (${OWN}) with check (${OWN});`);
    }
  }
}
