import { Migration } from '@mikro-orm/migrations';

/** Mail goes where its owner agreed to it by a link; addresses from before are taken as agreed to. */
export class Migration20261128094700_mail_agreements extends Migration {
  override name = 'Migration20261128094700_mail_agreements';

  override up(): void | Promise<void> {
    this.addSql(`alter table "channels" add "agreed" text null;`);
    this.addSql(`update "channels" set "agreed" = '*' where "kind" = 'email';`);
  }
}
