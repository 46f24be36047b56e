import { Migration } from '@mikro-orm/migrations';

/** What a run was told when it was made, such as changed lines that no test touches, stays while its message moves on. */
export class Migration20261121194200_run_notes extends Migration {
  override name = 'Migration20261121194200_run_notes';

  override up(): void {
    this.addSql(`alter table "runs" add "note" text null;`);
  }
}
