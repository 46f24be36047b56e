import { Migration } from '@mikro-orm/migrations';

/** PagerDuty and Opsgenie among the ways to tell people. */
export class Migration20261128124700_pagers extends Migration {
  readonly blocksBecause = 'A workspace has at most a few dozen addresses.';
  override name = 'Migration20261128124700_pagers';

  override up(): void {
    this.addSql(`alter table "webhooks" drop constraint "webhooks_kind_check";`);
    this.addSql(
      `alter table "webhooks" add constraint "webhooks_kind_check" check ("kind" in ('webhook', 'slack', 'email', 'pagerduty', 'opsgenie'));`,
    );

    this.addSql(`alter table "channels" drop constraint "channels_kind_check";`);
    this.addSql(
      `alter table "channels" add constraint "channels_kind_check" check ("kind" in ('slack', 'email', 'pagerduty', 'opsgenie'));`,
    );
  }
}
