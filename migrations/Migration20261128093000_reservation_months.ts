import { Migration } from '@mikro-orm/migrations';

/** Errors that are played again in a later month are paid by that month: a run has a reservation in each. */
export class Migration20261128093000_reservation_months extends Migration {
  override name = 'Migration20261128093000_reservation_months';
  readonly blocksBecause = 'Reservations have one row a run.';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "budget_reservations" drop constraint "budget_reservations_pkey", add constraint "budget_reservations_pkey" primary key ("run_id", "month");`,
    );
  }
}
