import { Migration } from '@mikro-orm/migrations';

/** Looks at the events that were there before alarms were among them. */
export class Migration20261128124600_alarm_events extends Migration {
  override name = 'Migration20261128124600_alarm_events';

  override up(): void {
    this.addSql(`alter table "notices" validate constraint "notices_event_check";`);
    this.addSql(`alter table "webhook_deliveries" validate constraint "webhook_deliveries_event_check";`);
    this.addSql(`alter table "workspace_events" validate constraint "workspace_events_kind_check";`);
  }
}
