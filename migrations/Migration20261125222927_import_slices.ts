import { Migration } from '@mikro-orm/migrations';

/** Which part of a backfill is read, so that it goes on there after a crash. */
export class Migration20261125222927_import_slices extends Migration {
  override name = 'Migration20261125222927_import_slices';

  override up(): void {
    this.addSql(`alter table "imports" add column "slice" jsonb;`);
  }
}
