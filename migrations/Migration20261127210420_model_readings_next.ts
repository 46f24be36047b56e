import { ConcurrentMigration } from '../src/db/concurrent-migration.ts';

/** The calls that a model reads next: those that something points at before others, and newer ones before older. */
export class Migration20261127210420_model_readings_next extends ConcurrentMigration {
  override name = 'Migration20261127210420_model_readings_next';

  override up(): void {
    this.addIndex(
      'model_readings_next',
      `on "model_readings" ("agent_id", "suspected" desc, "call_at" desc, "call_id" desc) where "state" in ('waiting', 'read')`,
    );
  }
}
