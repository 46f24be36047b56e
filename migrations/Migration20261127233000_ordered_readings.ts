import { Migration } from '@mikro-orm/migrations';

/** Calls that a person had read by a model, whatever the agent's share says. */
export class Migration20261127233000_ordered_readings extends Migration {
  override name = 'Migration20261127233000_ordered_readings';

  override up(): void {
    this.addSql(`alter table "model_readings" add "ordered" boolean not null default false;`);
  }
}
