import { Migration } from '@mikro-orm/migrations';

/**
 * People who come in by a provider are known by its name for them, and when their address was proved is kept. Those who
 * are here already are bound when they come in next.
 */
export class Migration20261122150000_identities extends Migration {
  override name = 'Migration20261122150000_identities';

  override up(): void {
    this.addSql(`alter table "people" add "proved_at" timestamptz(3) null;`);
    this.addSql(
      `create table "identities" ("issuer" text not null, "subject" text not null, "person_id" uuid not null, "created_at" timestamptz(3) not null default now(), primary key ("issuer", "subject"), constraint "identities_person_unique" unique ("person_id", "issuer"));`,
    );
  }
}
