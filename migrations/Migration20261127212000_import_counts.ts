import { Migration } from '@mikro-orm/migrations';

/** An import counts what it met and left alone apart from what is unchanged, and knows whether the platform refused it. */
export class Migration20261127212000_import_counts extends Migration {
  override name = 'Migration20261127212000_import_counts';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "imports" add "still_failed" int not null default 0, add "refused" boolean not null default false;`,
    );
  }
}
