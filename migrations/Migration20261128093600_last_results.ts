import { ConcurrentMigration } from '../src/db/concurrent-migration.ts';

/** What a test last came to is read beside it: without an index of its own that reads every run of the agent. */
export class Migration20261128093600_last_results extends ConcurrentMigration {
  override name = 'Migration20261128093600_last_results';

  override up(): void {
    this.addIndex('run_cells_test', 'on "run_cells" ("test_id", "run_id")');
  }
}
