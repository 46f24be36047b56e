import { Migration } from '@mikro-orm/migrations';

/** Who plays an attempt, counted: the one before, come back from a pause, is told by it that another took over. */
export class Migration20261122214500_player extends Migration {
  override name = 'Migration20261122214500_player';

  override up(): void {
    this.addSql(`alter table "attempts" add column "player" int not null default 0;`);
  }
}
