import { Migration } from '@mikro-orm/migrations';

/** Invitations are of an address, and say who invites; links for a new password say who made them. */
export class Migration20261127224400_invitations extends Migration {
  readonly blocksBecause = 'Links have one row a new password, and people one each.';
  override name = 'Migration20261127224400_invitations';

  override up(): void {
    this.addSql(
      `create table "invitations" ("id" uuid not null, "workspace_id" uuid not null, "email" varchar(320) not null, "name" varchar(200) not null, "role" text not null, "invited_by" uuid null, "secret_hash" text null, "created_at" timestamptz(3) not null default now(), "expires_at" timestamptz(3) not null, primary key ("id"));`,
    );
    this.addSql(`alter table "invitations" add constraint "invitations_secret_unique" unique ("secret_hash");`);
    this.addSql(`create index "invitations_email" on "invitations" ("email");`);
    this.addSql(
      `alter table "invitations" add constraint "invitations_email_unique" unique ("workspace_id", "email");`,
    );
    this.addSql(
      `alter table "invitations" add constraint "invitations_role_check" check ("role" in ('viewer', 'member', 'approver', 'admin'));`,
    );
    this.addSql(`alter table "one_time_links" add "made_by" uuid null;`);
    this.addSql(`alter table "people" add "password_given" boolean not null default false;`);
  }
}
