import { Migration } from '@mikro-orm/migrations';

/**
 * What a model may do on an agent's calls, and on what a signal and a label stand: labels keep whether they were said of a
 * model's finding, because the finding goes when its code goes back to assist.
 */
export class Migration20261122085000_model_decides extends Migration {
  override name = 'Migration20261122085000_model_decides';

  override up(): void {
    this.addSql(`alter table "agents" add "model_reading" text not null default 'assist';`);
    this.addSql(
      `alter table "agents" add constraint "agents_model_reading_check" check ("model_reading" in ('off', 'assist', 'decide'));`,
    );
    this.addSql(`alter table "call_signals" add "basis" text not null default 'rules';`);
    this.addSql(
      `alter table "call_signals" add constraint "call_signals_basis_check" check ("basis" in ('rules', 'model'));`,
    );
    this.addSql(`alter table "signal_labels" add "basis" text not null default 'rules';`);
    this.addSql(
      `alter table "signal_labels" add constraint "signal_labels_basis_check" check ("basis" in ('rules', 'model'));`,
    );
  }
}
