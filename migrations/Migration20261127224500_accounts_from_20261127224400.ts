import { Migration } from '@mikro-orm/migrations';

/**
 * An address that nobody proved is nobody's: several accounts may stand under it. Links that are open say neither who
 * made them nor who invites, so they end, as do the people who were made for invitations that nobody accepted. A proof
 * without an identity may be older than a password that a link has set since, so it is cleared.
 */
export class Migration20261127224500_accounts_from_20261127224400 extends Migration {
  readonly blocksBecause = 'People, links and sessions have a few rows a person.';
  override name = 'Migration20261127224500_accounts_from_20261127224400';

  override up(): void {
    this.addSql(`delete from "one_time_links" where "purpose" <> 'first_admin';`);
    this.addSql(`alter table "one_time_links" drop constraint "one_time_links_role_check";`);
    this.addSql(`alter table "one_time_links" drop constraint "one_time_links_purpose_check";`);
    this.addSql(`alter table "one_time_links" drop column "role", drop column "name";`);
    this.addSql(
      `alter table "one_time_links" add constraint "one_time_links_purpose_check" check ("purpose" in ('first_admin', 'password'));`,
    );
    this.addSql(`alter table "people" drop constraint "people_email_unique";`);
    this.addSql(
      `update "people" p set "proved_at" = null where not exists (select from "identities" i where i."person_id" = p."id");`,
    );
    this.addSql(`create index "people_email" on "people" ("email");`);
    this.addSql(`create unique index "people_proved_email" on "people" ("email") where "proved_at" is not null;`);
    this.addSql(
      `delete from "people" p where "password_hash" is null and "proved_at" is null and not exists (select from "memberships" m where m."person_id" = p."id") and not exists (select from "identities" i where i."person_id" = p."id");`,
    );
    this.addSql(`alter table "sessions" alter column "workspace_id" drop not null;`);
  }
}
