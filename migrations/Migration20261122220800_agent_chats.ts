import { Migration } from '@mikro-orm/migrations';

/** Where agents that send their calls answer chats: without such an address nobody could play tests against them. */
export class Migration20261122220800_agent_chats extends Migration {
  override name = 'Migration20261122220800_agent_chats';

  override up(): void {
    this.addSql(
      `alter table "agents" add "chat_url" text null, add "chat_model" text null, add "sealed_chat_key" text null;`,
    );
  }
}
