import { Migration } from '@mikro-orm/migrations';

/** What the simulated calls of a run wait for at the platform, and until when. */
export class Migration20261128004800_held_runs extends Migration {
  override name = 'Migration20261128004800_held_runs';

  override up(): void {
    this.addSql(
      `alter table "runs" add "held_until" timestamptz(3) null, add "held_because" text null, add "pressed_at" timestamptz(3) null;`,
    );
  }
}
