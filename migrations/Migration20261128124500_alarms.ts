import { Migration } from '@mikro-orm/migrations';

/** Alarms on the figures of an agent with their history, and the events by which people and programs hear of them. */
export class Migration20261128124500_alarms extends Migration {
  override name = 'Migration20261128124500_alarms';

  override up(): void {
    this.addSql(
      `create table "alarms" ("id" uuid not null, "workspace_id" uuid not null, "agent_id" uuid not null, "slug" text not null, "name" text not null, "rule" jsonb not null, "is_on" boolean not null default true, "silenced_until" timestamptz(3) null, "standing" jsonb null, "due_at" timestamptz(3) not null default now(), "created_by" text not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("id"));`,
    );
    this.addSql(`alter table "alarms" add constraint "alarms_slug" unique ("agent_id", "slug");`);

    this.addSql(
      `create table "alarm_events" ("alarm_id" uuid not null, "seq" int not null, "workspace_id" uuid not null, "agent_id" uuid not null, "state" text not null, "act" text null, "message" text not null, "value" double precision null, "calls" int not null, "by" text null, "created_at" timestamptz(3) not null default now(), primary key ("alarm_id", "seq"));`,
    );

    this.addSql(`alter table "alarms" enable row level security;`);
    this.addSql(`alter table "alarms" force row level security;`);
    this.addSql(
      `create policy "own" on "alarms" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "alarms" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );

    this.addSql(
      `alter table "alarm_events" add constraint "alarm_events_state_check" check ("state" in ('ok', 'warning', 'critical', 'no_data'));`,
    );
    this.addSql(
      `alter table "alarm_events" add constraint "alarm_events_act_check" check ("act" in ('raised', 'continues', 'recovered', 'acknowledged', 'silenced', 'unsilenced'));`,
    );
    this.addSql(`alter table "alarm_events" enable row level security;`);
    this.addSql(`alter table "alarm_events" force row level security;`);
    this.addSql(
      `create policy "own" on "alarm_events" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "alarm_events" for select using (workspace_id = ( SELECT demo_in_scope() AS demo_in_scope));`,
    );

    this.addSql(`alter table "notices" drop constraint "notices_event_check";`);
    this.addSql(
      `alter table "notices" add constraint "notices_event_check" check ("event" in ('issue.opened', 'issue.regressed', 'issue.resolved', 'issue.spiked', 'issue.assigned', 'issue.commented', 'run.awaiting_approval', 'run.refused', 'watch.failing', 'watch.recovered', 'alarm.raised', 'alarm.continues', 'alarm.recovered', 'import.stuck', 'version.untested')) not valid;`,
    );

    this.addSql(`alter table "webhook_deliveries" drop constraint "webhook_deliveries_event_check";`);
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_event_check" check ("event" in ('run.completed', 'version.new', 'webhook.off', 'channel.off', 'issue.opened', 'issue.regressed', 'issue.resolved', 'issue.spiked', 'issue.assigned', 'issue.commented', 'run.awaiting_approval', 'run.refused', 'watch.failing', 'watch.recovered', 'alarm.raised', 'alarm.continues', 'alarm.recovered', 'import.stuck', 'version.untested', 'digest', 'test')) not valid;`,
    );

    this.addSql(`alter table "workspace_events" drop constraint "workspace_events_kind_check";`);
    this.addSql(
      `alter table "workspace_events" add constraint "workspace_events_kind_check" check ("kind" in ('import.progress', 'import.finished', 'issues.changed', 'issue.opened', 'issue.changed', 'issue.resolved', 'issue.regressed', 'issue.spiked', 'version.new', 'webhook.off', 'run.changed', 'watch.changed', 'watch.backtest', 'watch.failing', 'alarm.changed', 'goal.changed', 'draft.changed', 'channel.off')) not valid;`,
    );
  }
}
