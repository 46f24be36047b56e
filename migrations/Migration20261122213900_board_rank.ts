import { Migration } from '@mikro-orm/migrations';

/**
 * The rank of the board as a column: under row security PostgreSQL begins a page in the index only where no function of
 * a column stands in the comparison, and a negation is one.
 */
export class Migration20261122213900_board_rank extends Migration {
  override name = 'Migration20261122213900_board_rank';

  override up(): void {
    this.addSql(
      `alter table "issues" add column "board_rank" double precision not null generated always as (- order_key) stored;`,
    );
    this.addSql(`drop index "issues_board";`);
    this.addSql(
      `create index "issues_board" on "issues" ("agent_id", (("section" = 'not_established')), "fell_on_live", "board_rank", "id") where "section" <> 'hidden' and "withdrawn_at" is null;`,
    );
  }
}
