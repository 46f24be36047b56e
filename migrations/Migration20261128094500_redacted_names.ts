import { ConcurrentMigration } from '../src/db/concurrent-migration.ts';

/** Names that a reader found and that were left out, as keyed hashes: a later record of the call does not bring them back. */
export class Migration20261128094500_redacted_names extends ConcurrentMigration {
  override name = 'Migration20261128094500_redacted_names';

  override up(): void {
    this.addSql('alter table "calls" add column if not exists "redacted_names" jsonb null;');
  }
}
