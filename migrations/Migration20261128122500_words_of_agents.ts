import { Migration } from '@mikro-orm/migrations';

/** Has searches cost by the calls of their agents: each vector says whose it is. */
export class Migration20261128122500_words_of_agents extends Migration {
  override name = 'Migration20261128122500_words_of_agents';

  override up(): void {
    this.addSql(`update call_words set words = words || array_to_tsvector(array['agent:' || agent_id]);`);
  }
}
