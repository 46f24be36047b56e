import { Migration } from '@mikro-orm/migrations';

/** Members who only read, and members who approve runs over their budget. */
export class Migration20261127204519_roles extends Migration {
  readonly blocksBecause = 'Memberships have one row a member, and links one a new password.';
  override name = 'Migration20261127204519_roles';

  override up(): void {
    this.addSql(`alter table "memberships" drop constraint "memberships_role_check";`);
    this.addSql(
      `alter table "memberships" add constraint "memberships_role_check" check ("role" in ('viewer', 'member', 'approver', 'admin'));`,
    );

    this.addSql(`alter table "one_time_links" drop constraint "one_time_links_role_check";`);
    this.addSql(
      `alter table "one_time_links" add constraint "one_time_links_role_check" check ("role" in ('viewer', 'member', 'approver', 'admin'));`,
    );
  }
}
