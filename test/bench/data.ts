import type pg from 'pg';
import { CATALOGUE } from '../../src/domain/signals/catalogue.ts';
import { newId } from '../../src/ids.ts';

/**
 * A history of analysed calls, made inside PostgreSQL. Every value comes from a hash of the call's number, so that the
 * first 10,000 of a million calls are the same 10,000: 40 versions and an empty one over 90 days, 5 outcomes, all codes
 * of the catalogue with a long tail, one code held by 30 old calls, 1 in 200 without a start time, ties.
 */
export const HISTORY_START = '2026-01-01';
export const HISTORY_DAYS = 90;
export const RARE_CODE = 'held_by_thirty_old_calls';
const PLACES = 40;
const VISIT_SETS = 60;
const EMPTY_VERSION = 17;

export interface BenchAgent {
  workspaceId: string;
  agentId: string;
  /** The next call's number. */
  next: number;
}

export async function makeBenchAgent(client: pg.Client): Promise<BenchAgent> {
  const workspaceId = newId();
  const agentId = newId();
  await client.query('insert into workspaces (id, name) values ($1, $2)', [workspaceId, 'Bench']);
  await client.query(
    `insert into agents (id, workspace_id, name, provider, provider_agent_id, source, current_version)
     values ($1::uuid, $2, 'Bench', 'demo', 'bench', 'demo', 41)`,
    [agentId, workspaceId],
  );
  await client.query(CHANCE);
  await client.query(
    `insert into computability_profiles (id, agent_id, digest, not_computable)
     select ${idOf(`'profile' || p`)}, $1, 'profile ' || p, (
       select coalesce(jsonb_agg(jsonb_build_object('code', code, 'reason', 'no times')), '[]')
       from unnest($2::text[]) with ordinality as c(code, nth) where nth % 7 < p)
     from generate_series(0, 2) p`,
    [agentId, codes()],
  );
  await client.query(
    `insert into visit_sets (id, agent_id, digest, places, end_step, path)
     select id, $1, digest, places, places -> 0, jsonb_build_object('loops', '[]'::jsonb, 'moves', (
       select coalesce(jsonb_agg(jsonb_build_array(a.e ->> 'kind', a.e ->> 'id', b.e ->> 'kind', b.e ->> 'id')), '[]')
       from jsonb_array_elements(places) with ordinality a(e, nth)
       join jsonb_array_elements(places) with ordinality b(e, nth) on b.nth = a.nth + 1)) from (
     select ${idOf(`'visits' || v`)} as id, 'visits ' || v as digest, (
       select jsonb_agg(distinct jsonb_build_object('kind', case when p % 2 = 0 then 'tool' else 'node' end,
         'id', 'place_' || p, 'label', 'place ' || p))
       from (select floor(bench_chance(v, n) * ${PLACES})::int as p from generate_series(1, 6) n) places) as places
     from generate_series(0, ${VISIT_SETS - 1}) v) made`,
    [agentId],
  );
  await client.query(
    `insert into agent_versions (id, workspace_id, agent_id, version, config_captured)
     select ${idOf(`'version' || v`)}, $2, $1, v, true from generate_series(1, 41) v`,
    [agentId, workspaceId],
  );
  await client.query(
    `insert into intents (id, workspace_id, agent_id, kind, slug, label)
     select ${idOf(`kind || n`)}, $2, $1, kind, 'intent_' || n, 'Intent ' || n
     from generate_series(0, 19) n, unnest(array['intent', 'use_case', 'sub_use_case']) kind`,
    [agentId, workspaceId],
  );
  return { workspaceId, agentId, next: 1 };
}

/** An agent without calls, in a workspace that is there. */
export async function addBenchAgent(client: pg.Client, workspaceId: string): Promise<Omit<BenchAgent, 'next'>> {
  const agentId = newId();
  await client.query(
    `insert into agents (id, workspace_id, name, provider, provider_agent_id, source)
     values ($1, $2, 'Another', 'demo', $3, 'demo')`,
    [agentId, workspaceId, `another ${agentId}`],
  );
  return { workspaceId, agentId };
}

/** Adds calls up to a number, with their signals. Links, sums and issues come with a full regroup. */
export async function loadHistory(client: pg.Client, agent: BenchAgent, upTo: number): Promise<void> {
  const indexes = upTo - agent.next > 50_000 ? await dropIndexes(client, ['calls', 'call_signals', 'call_codes']) : [];
  await client.query(SIGNALS_OF);
  const parameters = [agent.agentId, agent.workspaceId, agent.next, upTo];
  await client.query(
    `insert into calls (id, workspace_id, agent_id, provider_call_id, payload_digest, state, version, started_at,
       ended_at, duration_ms, direction, disconnection_reason, outcome, outcome_confidence, bad_ending_score,
       ended_badly, caller_spoke, objective, intent_slug, use_case_slug, sub_use_case_slug, persona_slug, turns,
       caller_turns, agent_turns, tool_results, tool_failures, frictions, response_median_ms, response_slow_ms,
       signal_codes, profile_id, visit_set_id, analyser_version, analysed_at)
     select ${idOf(`'call' || i`)}, $2, $1, 'call ' || i, md5(i::text), 'analysed', version, at,
       at + interval '2 minutes', 20000 + floor(bench_chance(i, 5) * 400000)::int, 'inbound', 'user_hangup', outcome,
       0.8, bench_chance(i, 6), outcome in ('unresolved', 'abandoned'), outcome <> 'no_contact',
       'I would like to change the order that I made last week, number ' || i, 'intent_' || n, 'intent_' || n,
       'intent_' || n, 'plain', 20, 10, 10, floor(bench_chance(i, 11) * 3)::int,
       (bench_chance(i, 12) < 0.2)::int, (bench_chance(i, 13) < 0.3)::int, 300 + (bench_chance(i, 14) * 3000)::int,
       900 + (bench_chance(i, 15) * 9000)::int, codes, ${idOf(`'profile' || floor(bench_chance(i, 8) ^ 2 * 3)`)},
       ${idOf(`'visits' || floor(bench_chance(i, 9) * ${VISIT_SETS})`)}, 1, now()
     from (
       select i, at, floor(bench_chance(i, 7) ^ 2 * 20)::int as n,
         coalesce((select array_agg(distinct code) from bench_signals(i, $5)), '{}') as codes,
         (array['resolved', 'resolved', 'resolved', 'unresolved', 'transferred', 'abandoned', 'no_contact']
           )[1 + floor(bench_chance(i, 2) * 7)::int] as outcome,
         case when at is null then 1 else version_at end as version
       from (select i, case when bench_chance(i, 3) >= 0.005 then bench_start(i) end as at,
         case when version_at >= ${EMPTY_VERSION} then version_at + 1 else version_at end as version_at
         from (select i, 1 + floor(extract(epoch from bench_start(i) - '${HISTORY_START}Z'::timestamptz)
           / (${HISTORY_DAYS} * 86400) * 40)::int as version_at from generate_series($3::int, $4::int) i) numbered) dated
     ) made`,
    [...parameters, codes()],
  );
  await client.query(
    `insert into call_signals (call_id, ordinal, workspace_id, agent_id, code, klass, lane, severity, confidence,
       place_kind, place_id, place_label, turn_index, quote, detail, cause_code)
     select ${idOf(`'call' || i`)}, s.nth, $2, $1, s.code, 'technical', 'integrations', 'high', 0.8,
       case when s.place % 2 = 0 then 'tool' else 'node' end, 'place_' || s.place, 'place ' || s.place, s.turn, '',
       'Noticed on this call, with figures.', s.cause
     from generate_series($3::int, $4::int) i cross join lateral bench_signals(i, $5) s`,
    [...parameters, codes()],
  );
  await client.query(
    `insert into call_codes (call_id, code, agent_id, sort_at, outcome, version)
     select distinct s.call_id, s.code, s.agent_id, c.sort_at, c.outcome, c.version
     from call_signals s join calls c on c.id = s.call_id
     where s.agent_id = $1 and c.provider_call_id in (select 'call ' || i from generate_series($2::int, $3::int) i)`,
    [agent.agentId, agent.next, upTo],
  );
  for (const index of indexes) await client.query(index);
  await client.query(
    `update agents set newest_call_at = (select max(started_at) from calls where agent_id = $1),
       version_count = 41 where id = $1`,
    [agent.agentId],
  );
  await client.query('vacuum analyze calls, call_signals, call_codes');
  agent.next = upTo + 1;
}

/** Codes from common to rare. */
export function codes(): string[] {
  return [...CATALOGUE.keys()];
}

/** An id that sorts with the number in it, as ids made by time do. */
function idOf(text: string): string {
  return `(lpad(to_hex(1700000000000 + coalesce(substring((${text}) from '\\d+$')::bigint, 0)), 12, '0')
    || '7' || substr(md5(($1::uuid)::text || (${text})::text), 1, 19))::uuid`;
}

const CHANCE = `
  create or replace function bench_chance(number bigint, salt bigint) returns float8 language sql immutable as
    'select (hashint8extended(number, salt) & 2147483647)::float8 / 2147483648';
  create or replace function bench_start(number bigint) returns timestamptz language sql stable as
    'select timestamptz ''${HISTORY_START}Z'' + floor(case when number <= 30 then 0.001 else bench_chance(number, 1) end
      * ${HISTORY_DAYS * 8640}) * interval ''10 seconds'''`;

/** The signals of a call: 1.3 on average, codes and places with long tails, some with a cause. */
const SIGNALS_OF = `
  create or replace function bench_signals(number bigint, codes text[])
  returns table (nth int, code text, place int, turn int, cause text) language sql stable as $f$
    select n, codes[c], (c * 7 + floor(bench_chance(number, 30 + n) ^ 2 * 8)::int) % ${PLACES},
      floor(bench_chance(number, 40 + n) * 20)::int,
      case when c % 3 = 0 and bench_chance(number, 50 + n) < 0.8 then 'cause_' || c end
    from (select n, 1 + floor(bench_chance(number, 20 + n) ^ 2.5 * cardinality(codes))::int as c
      from generate_series(0, (array[-1, -1, -1, 0, 0, 0, 1, 1, 2, 4])[1 + floor(bench_chance(number, 4) * 10)::int]) n)
      drawn
    union all
    select 9, '${RARE_CODE}', 1, 3, null where number <= 30
  $f$`;

async function dropIndexes(client: pg.Client, tables: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index
     where indrelid = any($1::regclass[]) and not indisunique`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map((row) => row.made);
}
