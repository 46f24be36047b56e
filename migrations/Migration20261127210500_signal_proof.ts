import { Migration } from '@mikro-orm/migrations';

/** The quotes that a finding of a reader stands on, beside its own: they are shown wherever the finding is. */
export class Migration20261127210500_signal_proof extends Migration {
  override name = 'Migration20261127210500_signal_proof';

  override up(): void {
    this.addSql(`alter table "call_signals" add "proof" jsonb null;`);
  }
}
