import { Migration } from '@mikro-orm/migrations';

/** What of a question's input a provider's cache held or took: those tokens have prices of their own. */
export class Migration20261127204854_model_cache_tokens extends Migration {
  override name = 'Migration20261127204854_model_cache_tokens';

  override up(): void {
    this.addSql(
      `alter table "model_usage" add "cached_input_tokens" int not null default 0, add "cache_write_tokens" int not null default 0;`,
    );
  }
}
