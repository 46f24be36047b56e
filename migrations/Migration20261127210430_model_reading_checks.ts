import { Migration } from '@mikro-orm/migrations';

/** Looks at the rows that were there before the checks of the settings and states of reading by a model. */
export class Migration20261127210430_model_reading_checks extends Migration {
  override name = 'Migration20261127210430_model_reading_checks';

  override up(): void {
    this.addSql(`alter table "agents" validate constraint "agents_model_share_percent_check";`);
    this.addSql(`alter table "agents" validate constraint "agents_model_share_check";`);
    this.addSql(`alter table "model_readings" validate constraint "model_readings_state_check";`);
  }
}
