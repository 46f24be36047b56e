import { sql } from 'kysely';
import type { CallVerdict } from '../../domain/watches/judge-call.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { executePlanned } from '../planned.ts';

/** What watches said of one call; calls of which none says anything are named too, so that what stood goes. */
export interface VerdictsOfCall {
  callId: string;
  verdicts: readonly CallVerdict[];
  /** True where nothing stands of the call that these would take the place of. */
  isFirst?: boolean;
}

const QUOTE_AT_MOST = 400;

/**
 * Puts these verdicts in the place of those that the calls had from these watches, with the sums by version and day. Runs
 * under the agent's lock. Doing it again changes nothing.
 */
export async function writeVerdicts(
  em: EntityManager,
  agentId: string,
  watchIds: readonly string[],
  calls: readonly VerdictsOfCall[],
): Promise<void> {
  if (watchIds.length === 0 || calls.length === 0) return;
  const again = calls.filter(({ isFirst }) => !isFirst).map(({ callId }) => callId);
  if (again.length > 0) await dropVerdicts(em, agentId, again, watchIds);
  const rows = calls.flatMap(({ callId, verdicts }) =>
    verdicts.map((verdict) => ({ ...verdict, quote: verdict.quote.slice(0, QUOTE_AT_MOST).toWellFormed(), callId })),
  );
  if (rows.length === 0) return;
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as g("callId" uuid, "watchId" uuid, held boolean,
        "byOutcome" boolean, turn int, quote text, because text)
    ), made as (
      insert into watch_verdicts (call_id, watch_id, agent_id, version, day, in_scope, held, by_outcome, turn, quote, because)
      select c.id, w.id, c.agent_id, c.version, ${DAY}, ${IN_SCOPE}, ${HELD}, g."byOutcome", ${TURN}, ${QUOTE}, ${BECAUSE}
      from given g cross join lateral (select g.held, g."byOutcome" as by_outcome, g.turn, g.quote, g.because) v
      join calls c on c.id = g."callId" and c.agent_id = ${agentId}
      join watches w on w.id = g."watchId" and w.agent_id = ${agentId} ${SIGNALS}
      returning watch_id, version, day, in_scope, held
    )
    ${addDays(agentId, sql`select watch_id, version, day, held, 1 as n from made where in_scope`)}
  `.execute(db(em));
}

/** Takes away what watches said of these calls, with the sums: also when the calls go. @param watchIds null: of all. */
export async function dropVerdicts(
  em: EntityManager,
  agentId: string,
  callIds: readonly string[],
  watchIds: readonly string[] | null = null,
): Promise<void> {
  await sql`
    with gone as (
      delete from watch_verdicts where agent_id = ${agentId} and call_id = any(${[...callIds]}::uuid[])
        and (${watchIds === null} or watch_id = any(${[...(watchIds ?? [])]}::uuid[]))
      returning watch_id, version, day, in_scope, held
    )
    ${addDays(agentId, sql`select watch_id, version, day, held, -1 as n from gone where in_scope`)}
  `.execute(db(em));
}

/** Nothing of a watch's verdicts is kept: they were of another revision. */
export async function dropVerdictsOfWatch(em: EntityManager, watchId: string): Promise<void> {
  await db(em).deleteFrom('watch_verdicts').where('watchId', '=', watchId).execute();
  await db(em).deleteFrom('watch_days').where('watchId', '=', watchId).execute();
}

/**
 * Has verdicts follow what is stored of these calls by now: their version and day, and for watches that hang on it their
 * intent and outcome. Runs under the agent's lock.
 */
export async function followCalls(em: EntityManager, agentId: string, callIds: readonly string[]): Promise<void> {
  await executePlanned(
    em,
    sql`
    with now as materialized (
      select v.call_id, v.watch_id, v.version as was_version, v.day as was_day, v.in_scope as was_in, v.held as was_held,
        v.because as was_because, ${BECAUSE} as because, ${TURN} as turn, ${QUOTE} as quote,
        c.version, ${DAY} as day, ${IN_SCOPE} as in_scope, ${HELD} as held
      from watch_verdicts v join calls c on c.id = v.call_id join watches w on w.id = v.watch_id ${SIGNALS}
      where v.agent_id = ${agentId} and v.call_id = any(${[...callIds]}::uuid[])
    ), moved as materialized (
      select * from now where (was_version, was_day, was_in, was_held, was_because)
        is distinct from (version, day, in_scope, held, because)
    ), written as (
      update watch_verdicts v set version = m.version, day = m.day, in_scope = m.in_scope, held = m.held,
        because = m.because, turn = m.turn, quote = m.quote
      from moved m where v.call_id = m.call_id and v.watch_id = m.watch_id
    )
    ${addDays(
      agentId,
      sql`select watch_id, was_version as version, was_day as day, was_held as held, -1 as n from moved where was_in
        union all select watch_id, version, day, held, 1 from moved where in_scope`,
    )}`,
  );
}

const DAY = sql`(c.sort_at at time zone 'UTC')::date`;

/** The first signal of the code that a watch is about, where it is about one. */
const SIGNALS = sql`
  left join lateral (select f.turn_index, f.quote, f.detail from call_signals f where f.call_id = c.id
    and w.expectation_code ->> 'kind' = 'signal' and f.code = w.expectation_code ->> 'code' order by f.ordinal limit 1) s on true`;
const IS_SIGNAL = sql`(w.expectation_code ->> 'kind' = 'signal')`;
const HAS_SIGNAL = sql`(s.turn_index is not null)`;

/** What is stored of a call decides about scopes of intents, outcomes and versions, and about outcomes and signals that are expected. */
const IN_SCOPE = sql`
  (case w.scope_code ->> 'kind' when 'intent' then c.intent_slug is not distinct from w.scope_code ->> 'intent'
    when 'outcome' then c.outcome is not distinct from w.scope_code ->> 'outcome' else true end
    and c.version between coalesce((w.scope_code #>> '{calls,fromVersion}')::int, c.version)
      and coalesce((w.scope_code #>> '{calls,toVersion}')::int, c.version)
    and (not v.by_outcome or case when ${IS_SIGNAL}
      then ${HAS_SIGNAL} or not exists (select from computability_profiles p where p.id = c.profile_id
        and p.not_computable @> jsonb_build_array(jsonb_build_object('code', w.expectation_code ->> 'code')))
      else c.outcome is not null end))`;
const HELD = sql`
  (case when v.by_outcome and ${IS_SIGNAL} then ${HAS_SIGNAL} = (w.polarity = 'must')
    when v.by_outcome and c.outcome is not null
    then (c.outcome = w.expectation_code ->> 'outcome') = (w.polarity = 'must') else v.held end)`;
const BECAUSE = sql`
  (case when v.by_outcome and ${IS_SIGNAL} then coalesce(s.detail, 'The analysis did not find it.')
    when v.by_outcome and c.outcome is not null then 'The call ended as ' || c.outcome || '.' else v.because end)`;
const TURN = sql`coalesce(s.turn_index, v.turn)`;
const QUOTE = sql`coalesce(s.quote, v.quote)`;

/** @param changes rows of a watch, a version, a day, whether it held, and by how many to change it. */
const addDays = (agentId: string, changes: ReturnType<typeof sql>) => sql`
  insert into watch_days as d (watch_id, version, day, agent_id, held, broken)
  select watch_id, version, day, ${agentId}::uuid, coalesce(sum(n) filter (where held), 0), coalesce(sum(n) filter (where not held), 0)
  from (${changes}) changed group by watch_id, version, day
  on conflict (watch_id, version, day) do update
    set held = d.held + excluded.held, broken = d.broken + excluded.broken`;
