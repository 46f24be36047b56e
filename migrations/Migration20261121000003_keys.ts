import { Migration } from '@mikro-orm/migrations';

/**
 * Written by hand: rows of a workspace refer to an agent of the same workspace, and calls, versions, imports, intents and
 * issues of one to nothing else, whatever a statement says. `docs/decisions.md` says which tables go without, and why.
 * PostgreSQL is also told that an agent has one workspace: by itself it would take both conditions of every statement
 * for independent, and expect far too few rows.
 */
export class Migration20261121000003_keys extends Migration {
  override name = 'Migration20261121000003_keys';

  override up(): void {
    this.addSql(
      'alter table "platform_connections" add constraint "platform_connections_of_workspace" unique ("workspace_id", "id")',
    );
    this.addSql('alter table "agents" add constraint "agents_of_workspace" unique ("workspace_id", "id")');
    this.addSql(
      'alter table "agents" add constraint "agents_connection_fence" foreign key ("workspace_id", "connection_id") references "platform_connections" ("workspace_id", "id")',
    );
    for (const table of OF_AGENTS) {
      this.addSql(
        `alter table "${table}" add constraint "${table}_fence" foreign key ("workspace_id", "agent_id") references "agents" ("workspace_id", "id")`,
      );
    }
    for (const table of LARGE) {
      this.addSql(`create statistics "${table}_owner" (dependencies) on "workspace_id", "agent_id" from "${table}"`);
    }
  }
}

const OF_AGENTS = ['agent_versions', 'imports', 'import_failures', 'intents', 'issues', 'calls'];
const LARGE = ['calls', 'transcripts', 'raw_payloads', 'call_analyses', 'call_signals', 'issues'];
