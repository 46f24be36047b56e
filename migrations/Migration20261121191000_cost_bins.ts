import { Migration } from '@mikro-orm/migrations';

const OWN_AGENT = `agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)))`;
const READ_AND_FILLED = ['agents', 'calls', 'cost_bins'];

/** What an agent's calls cost, so that a dear one is known as soon as it is in; calls that are stored already count at once. */
export class Migration20261121191000_cost_bins extends Migration {
  override name = 'Migration20261121191000_cost_bins';

  override up(): void {
    this.addSql(
      `create table "cost_bins" ("agent_id" uuid not null, "bin" int not null, "calls" int not null default 0, primary key ("agent_id", "bin"));`,
    );
    this.addSql(`alter table "cost_bins" enable row level security;`);
    this.addSql(`alter table "cost_bins" force row level security;`);
    this.addSql(`create policy "reads" on "cost_bins" for select using (agent_id IN ( SELECT a.id
   FROM agents a));`);
    this.addSql(`create policy "adds" on "cost_bins" for insert with check (${OWN_AGENT});`);
    this.addSql(`create policy "changes" on "cost_bins" for update using (${OWN_AGENT}) with check (${OWN_AGENT});`);
    this.addSql(`create policy "removes" on "cost_bins" for delete using (${OWN_AGENT});`);
    this.addSql(
      `create index "calls_cost" on "calls" ("agent_id", "cost_usd") where "cost_usd" is not null and "state" = 'analysed';`,
    );
    for (const table of READ_AND_FILLED) this.addSql(`alter table "${table}" no force row level security;`);
    this.addSql(
      `insert into cost_bins (agent_id, bin, calls)
       select c.agent_id, floor(ln(greatest(c.cost_usd * 1000000::float8, 1)) / ln(1.05::float8))::int, count(*)
       from calls c where c.state = 'analysed' and c.cost_usd > 0 and c.outcome <> 'no_contact' group by 1, 2;`,
    );
    for (const table of READ_AND_FILLED) this.addSql(`alter table "${table}" force row level security;`);
  }
}
