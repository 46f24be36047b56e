import { ConcurrentMigration } from '../src/db/concurrent-migration.ts';

/** What redaction left out is counted on the call when it is stored, so that an import's sum opens no transcript. */
export class Migration20261128050000_redacted_counts extends ConcurrentMigration {
  override name = 'Migration20261128050000_redacted_counts';

  override up(): void {
    this.addSql('alter table "calls" add column if not exists "redacted" jsonb null;');
    this.addIndex('calls_redacted', 'on "calls" ("import_id") where "redacted" is not null');
  }
}
