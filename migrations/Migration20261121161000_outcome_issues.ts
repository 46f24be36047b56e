import { Migration } from '@mikro-orm/migrations';

/**
 * What outcome issues are counted from: the step at which calls end, and the codes noticed on the way there. Calls read
 * before know no last step; they count from their next analysis on. Labels of people on signals come with it.
 */
export class Migration20261121161000_outcome_issues extends Migration {
  override name = 'Migration20261121161000_outcome_issues';

  override up(): void {
    this.addSql(`alter table "visit_sets" add "end_step" jsonb null;`);
    this.addSql(
      `create table "step_codes" ("agent_id" uuid not null, "step_kind" text not null, "step_digest" text not null, "code" text not null, "calls" int not null default 0, "bad" int not null default 0, primary key ("agent_id", "step_kind", "step_digest", "code"));`,
    );
    this.addSql(
      `alter table "step_codes" add constraint "step_codes_step_kind_check" check ("step_kind" in ('tool', 'node', 'prompt', 'platform', 'knowledge', 'agent'));`,
    );
    this.addSql(
      `create table "signal_labels" ("agent_id" uuid not null, "call_id" uuid not null, "code" text not null, "turn_index" int not null, "workspace_id" uuid not null, "label" text not null, "note" text null, "person_id" uuid not null, "created_at" timestamptz(3) not null default now(), "updated_at" timestamptz(3) not null default now(), primary key ("agent_id", "call_id", "code", "turn_index"));`,
    );
    this.addSql(
      `alter table "signal_labels" add constraint "signal_labels_label_check" check ("label" in ('right', 'wrong'));`,
    );
    for (const table of ['step_codes', 'signal_labels']) {
      this.addSql(`alter table "${table}" enable row level security;`);
      this.addSql(`alter table "${table}" force row level security;`);
    }
    this.addSql(`create policy "own" on "signal_labels" using (${OWN}) with check (${OWN});`);
    this.addSql(`create policy "demo" on "signal_labels" for select using (workspace_id = (select demo_in_scope()));`);
    this.addSql(`create policy "reads" on "step_codes" for select using (agent_id in (select a.id from agents a));`);
    this.addSql(`create policy "adds" on "step_codes" for insert with check (${OWN_AGENT});`);
    this.addSql(`create policy "changes" on "step_codes" for update using (${OWN_AGENT}) with check (${OWN_AGENT});`);
    this.addSql(`create policy "removes" on "step_codes" for delete using (${OWN_AGENT});`);
  }
}

const OWN = 'workspace_id = (select workspace_in_scope())';
const OWN_AGENT = `agent_id in (select a.id from agents a where a.${OWN})`;
