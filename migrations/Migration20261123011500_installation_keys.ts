import { Migration } from '@mikro-orm/migrations';

/** Keys that outlive the secret of the installation, sealed under it. */
export class Migration20261123011500_installation_keys extends Migration {
  override name = 'Migration20261123011500_installation_keys';

  override up(): void {
    this.addSql(
      `create table "installation_keys" ("name" text not null, "sealed" text not null, "created_at" timestamptz(3) not null default now(), primary key ("name"));`,
    );
  }
}
