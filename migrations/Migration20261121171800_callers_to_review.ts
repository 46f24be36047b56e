import { Migration } from '@mikro-orm/migrations';

/** Callers one of whose calls came, changed or moved to another intent: the next grouping reads what follows for the others. */
export class Migration20261121171800_callers_to_review extends Migration {
  override name = 'Migration20261121171800_callers_to_review';

  override up(): void {
    this.addSql(
      `create table "callers_to_review" ("agent_id" uuid not null, "caller_key" text not null, "workspace_id" uuid not null, primary key ("agent_id", "caller_key"));`,
    );
    this.addSql(`alter table "callers_to_review" enable row level security;`);
    this.addSql(`alter table "callers_to_review" force row level security;`);
    this.addSql(
      `create policy "own" on "callers_to_review" using (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)) with check (workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope));`,
    );
    this.addSql(
      `create policy "demo" on "callers_to_review" for select using (workspace_id = (select demo_in_scope()));`,
    );
  }
}
