import { ConcurrentMigration } from '../src/db/concurrent-migration.ts';

/** What is open is looked for in each workspace every ten minutes, among all that ever was. */
export class Migration20261126001000_open_rows extends ConcurrentMigration {
  override name = 'Migration20261126001000_open_rows';

  override up(): void {
    this.addIndex('imports_open', `on "imports" ("workspace_id") where "status" in ('queued', 'running', 'paused')`);
    this.addIndex(
      'runs_open',
      `on "runs" ("workspace_id", "id") where "status" in ('queued', 'awaiting_approval', 'running') or "rescoring"`,
    );
  }
}
