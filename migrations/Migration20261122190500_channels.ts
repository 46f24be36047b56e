import { Migration } from '@mikro-orm/migrations';

/**
 * Channels to people: what they are told of and what they were told of already, in threads. A channel has a row of its own
 * beside its row in `webhooks`, whose deliveries, tries and switch serve all addresses alike.
 */
export class Migration20261122190500_channels extends Migration {
  override name = 'Migration20261122190500_channels';

  override up(): void {
    this.addSql(
      `create table "channels" ("id" uuid not null, "workspace_id" uuid not null, "kind" text not null, "person_id" uuid null, "name" varchar(100) not null, "shown_address" text not null, "sealed_address" text null, "threads" boolean not null, "subscriptions" jsonb not null, primary key ("id"));`,
    );
    this.addSql(
      `create unique index "channels_person" on "channels" ("workspace_id", "person_id") where "person_id" is not null;`,
    );

    this.addSql(
      `create table "message_settings" ("workspace_id" uuid not null, "quotes_calls" boolean not null default true, primary key ("workspace_id"));`,
    );

    this.addSql(
      `create table "message_threads" ("channel_id" uuid not null, "thread" text not null, "workspace_id" uuid not null, "root_delivery_id" uuid not null, "root_ref" text null, "created_at" timestamptz(3) not null default now(), primary key ("channel_id", "thread"));`,
    );
    this.addSql(`create index "message_threads_root" on "message_threads" ("root_delivery_id");`);

    this.addSql(
      `create table "notices" ("id" uuid not null, "workspace_id" uuid not null, "channel_id" uuid not null, "agent_id" uuid not null, "event" text not null, "event_key" text not null, "thread" text not null, "facts" jsonb not null, "delivery_id" uuid null, "due_at" timestamptz(3) not null, "created_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`create index "notices_delivery" on "notices" ("delivery_id");`);
    this.addSql(`create index "notices_waiting" on "notices" ("channel_id", "due_at") where "delivery_id" is null;`);
    this.addSql(`alter table "notices" add constraint "notices_event" unique ("channel_id", "event", "event_key");`);

    this.addSql(`alter table "webhooks" add "kind" text not null default 'webhook';`);
    this.addSql(
      `alter table "webhooks" add constraint "webhooks_kind_check" check ("kind" in ('webhook', 'slack', 'email'));`,
    );

    this.addSql(`alter table "webhook_deliveries" drop constraint "webhook_deliveries_event_check";`);
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_event_check" check ("event" in ('run.completed', 'version.new', 'webhook.off', 'channel.off', 'issue.opened', 'issue.regressed', 'issue.resolved', 'issue.spiked', 'issue.assigned', 'issue.commented', 'run.awaiting_approval', 'run.refused', 'watch.failing', 'watch.recovered', 'import.stuck', 'version.untested', 'digest', 'test'));`,
    );

    this.addSql(`alter table "workspace_events" drop constraint "workspace_events_kind_check";`);
    this.addSql(
      `alter table "workspace_events" add constraint "workspace_events_kind_check" check ("kind" in ('import.progress', 'import.finished', 'issues.changed', 'issue.opened', 'issue.changed', 'issue.resolved', 'issue.regressed', 'issue.spiked', 'version.new', 'webhook.off', 'run.changed', 'watch.changed', 'watch.backtest', 'watch.failing', 'goal.changed', 'draft.changed', 'channel.off'));`,
    );

    this.addSql(`alter table "channels" add constraint "channels_kind_check" check ("kind" in ('slack', 'email'));`);
    this.addSql(`alter table "channels" enable row level security;`);
    this.addSql(`alter table "channels" force row level security;`);
    this.addSql(
      `create policy "own" on "channels" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );

    this.addSql(`alter table "message_settings" enable row level security;`);
    this.addSql(`alter table "message_settings" force row level security;`);
    this.addSql(
      `create policy "own" on "message_settings" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );

    this.addSql(`alter table "message_threads" enable row level security;`);
    this.addSql(`alter table "message_threads" force row level security;`);
    this.addSql(
      `create policy "own" on "message_threads" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );

    this.addSql(
      `alter table "notices" add constraint "notices_event_check" check ("event" in ('issue.opened', 'issue.regressed', 'issue.resolved', 'issue.spiked', 'issue.assigned', 'issue.commented', 'run.awaiting_approval', 'run.refused', 'watch.failing', 'watch.recovered', 'import.stuck', 'version.untested'));`,
    );
    this.addSql(`alter table "notices" enable row level security;`);
    this.addSql(`alter table "notices" force row level security;`);
    this.addSql(
      `create policy "own" on "notices" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
  }
}
