import { Migration } from '@mikro-orm/migrations';

const READ = ['agents', 'calls', 'visit_sets'];
const FILLED = ['metric_counts', 'metric_bins', 'flow_counts', 'flow_steps'];

const DAY = `coalesce((c.started_at at time zone 'UTC')::date, '0001-01-01'::date)`;
const STEPS = `(
  select e ->> 'kind' as kind, e ->> 'id' as id, e ->> 'label' as label from jsonb_array_elements(v.places) e
  where e ->> 'kind' = case when v.end_step ->> 'kind' = 'node' then 'node' else 'tool' end
  union select v.end_step ->> 'kind', v.end_step ->> 'id', v.end_step ->> 'label'
  union select 'agent', 'start', 'the start of the call' where v.end_step ->> 'kind' <> 'node')`;
const STEP = `md5(s.kind || chr(31) || s.id)::uuid`;

/** Calls that were read before count at once; their moves between steps come when they are read again. */
const FILLS = [
  `update calls c set called_again = true where state = 'analysed' and caller_key is not null and exists (
     select 1 from calls d where d.agent_id = c.agent_id and d.caller_key = c.caller_key and d.state = 'analysed'
       and d.started_at > c.started_at and d.started_at <= c.started_at + interval '7 days');`,
  `insert into metric_counts (agent_id, day, version, outcome, intent_slug, use_case_slug, calls, with_tool, tool_failed,
     friction, known_caller, called_again, response_unread)
   select c.agent_id, ${DAY}, c.version, c.outcome, coalesce(c.intent_slug, ''), coalesce(c.use_case_slug, ''), count(*),
     count(*) filter (where c.tool_results > 0),
     count(*) filter (where c.tool_results > 0 and c.tool_failures > 0), count(*) filter (where c.frictions > 0),
     count(*) filter (where c.caller_key is not null and c.started_at is not null),
     count(*) filter (where c.called_again),
     count(*) filter (where c.outcome <> 'no_contact' and c.response_median_ms is null)
   from calls c where c.state = 'analysed' group by 1, 2, 3, 4, 5, 6;`,
  `insert into metric_bins (agent_id, day, version, measure, bin, calls)
   select c.agent_id, ${DAY}, c.version, m.measure, floor(ln(greatest(m.ms, 1)::float8) / ln(1.05::float8))::int, count(*)
   from calls c cross join lateral (values ('p50', c.response_median_ms), ('p90', c.response_slow_ms),
     ('duration', case when c.outcome <> 'no_contact' then c.duration_ms end)) m(measure, ms)
   where m.ms is not null and c.state = 'analysed' group by 1, 2, 3, 4, 5;`,
  `insert into flow_steps (agent_id, step, kind, place_id, label)
   select distinct on (1, 2) v.agent_id, ${STEP}, s.kind, s.id, s.label
   from visit_sets v cross join lateral ${STEPS} s where v.end_step is not null order by 1, 2, v.id desc;`,
  `insert into flow_counts (agent_id, version, part, from_step, to_step, outcome, calls, bad)
   select c.agent_id, c.version, 'step', s.step, s.step, '', count(*), count(*) filter (where c.ended_badly)
   from calls c join visit_sets v on v.id = c.visit_set_id and v.end_step is not null
   cross join lateral (select distinct ${STEP} as step from ${STEPS} s) s
   where c.state = 'analysed' group by 1, 2, 4
   union all
   select c.agent_id, c.version, 'end', s.step, s.step, c.outcome, count(*), count(*) filter (where c.ended_badly)
   from calls c join visit_sets v on v.id = c.visit_set_id and v.end_step is not null
   cross join lateral (select md5((v.end_step ->> 'kind') || chr(31) || (v.end_step ->> 'id'))::uuid as step) s
   where c.state = 'analysed' group by 1, 2, 4, c.outcome;`,
];

/** Sums by difference from which the board's figures and the flow are read, however many calls there are. */
export class Migration20261121171400_metrics extends Migration {
  override name = 'Migration20261121171400_metrics';

  override up(): void {
    this.addSql(
      `create table "flow_counts" ("agent_id" uuid not null, "version" int not null, "part" text not null, "from_step" uuid not null, "to_step" uuid not null, "outcome" text not null, "calls" int not null default 0, "bad" int not null default 0, primary key ("agent_id", "version", "part", "from_step", "to_step", "outcome"));`,
    );
    this.addSql(
      `create table "flow_steps" ("agent_id" uuid not null, "step" uuid not null, "kind" text not null, "place_id" text not null, "label" text not null, primary key ("agent_id", "step"));`,
    );
    this.addSql(
      `create table "metric_bins" ("agent_id" uuid not null, "day" date not null, "version" int not null, "measure" text not null, "bin" int not null, "calls" int not null default 0, primary key ("agent_id", "day", "version", "measure", "bin"));`,
    );
    this.addSql(
      `create table "metric_counts" ("agent_id" uuid not null, "day" date not null, "version" int not null, "outcome" text not null, "intent_slug" text not null, "use_case_slug" text not null, "calls" int not null default 0, "with_tool" int not null default 0, "tool_failed" int not null default 0, "friction" int not null default 0, "known_caller" int not null default 0, "called_again" int not null default 0, "response_unread" int not null default 0, primary key ("agent_id", "day", "version", "outcome", "intent_slug", "use_case_slug"));`,
    );
    this.addSql(`alter table "calls" add "called_again" boolean not null default false;`);
    this.addSql(`alter table "visit_sets" add "path" jsonb null;`);
    this.addSql(
      `alter table "flow_counts" add constraint "flow_counts_part_check" check ("part" in ('step', 'loop', 'move', 'end'));`,
    );
    this.addSql(`alter table "flow_counts" enable row level security;`);
    this.addSql(`alter table "flow_counts" force row level security;`);
    this.addSql(`create policy "reads" on "flow_counts" for select using (agent_id IN ( SELECT a.id
   FROM agents a));`);
    this.addSql(`create policy "adds" on "flow_counts" for insert with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "changes" on "flow_counts" for update using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)))) with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "removes" on "flow_counts" for delete using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(
      `alter table "flow_steps" add constraint "flow_steps_kind_check" check ("kind" in ('tool', 'node', 'prompt', 'platform', 'knowledge', 'agent'));`,
    );
    this.addSql(`alter table "flow_steps" enable row level security;`);
    this.addSql(`alter table "flow_steps" force row level security;`);
    this.addSql(`create policy "reads" on "flow_steps" for select using (agent_id IN ( SELECT a.id
   FROM agents a));`);
    this.addSql(`create policy "adds" on "flow_steps" for insert with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "changes" on "flow_steps" for update using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)))) with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "removes" on "flow_steps" for delete using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(
      `alter table "metric_bins" add constraint "metric_bins_measure_check" check ("measure" in ('p50', 'p90', 'duration'));`,
    );
    this.addSql(`alter table "metric_bins" enable row level security;`);
    this.addSql(`alter table "metric_bins" force row level security;`);
    this.addSql(`create policy "reads" on "metric_bins" for select using (agent_id IN ( SELECT a.id
   FROM agents a));`);
    this.addSql(`create policy "adds" on "metric_bins" for insert with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "changes" on "metric_bins" for update using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)))) with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "removes" on "metric_bins" for delete using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(
      `alter table "metric_counts" add constraint "metric_counts_outcome_check" check ("outcome" in ('resolved', 'unresolved', 'transferred', 'abandoned', 'no_contact'));`,
    );
    this.addSql(`alter table "metric_counts" enable row level security;`);
    this.addSql(`alter table "metric_counts" force row level security;`);
    this.addSql(`create policy "reads" on "metric_counts" for select using (agent_id IN ( SELECT a.id
   FROM agents a));`);
    this.addSql(`create policy "adds" on "metric_counts" for insert with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "changes" on "metric_counts" for update using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)))) with check (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    this.addSql(`create policy "removes" on "metric_counts" for delete using (agent_id IN ( SELECT a.id
   FROM agents a
  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope))));`);
    for (const table of READ) this.addSql(`alter table "${table}" no force row level security;`);
    for (const table of FILLED) this.addSql(`alter table "${table}" no force row level security;`);
    for (const fill of FILLS) this.addSql(fill);
    for (const table of [...READ, ...FILLED]) this.addSql(`alter table "${table}" force row level security;`);
  }
}
