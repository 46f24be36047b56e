import { type RawBuilder, sql } from 'kysely';
import { ISSUE_COUNTS, OUTCOME_COUNTS } from '../../domain/issues/ledger.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ofAgent } from '../expressions.ts';
import { columnsOf, settle } from './write-sums.ts';

/** Sums over calls `c`, in the order of `OUTCOME_COUNTS`; the same arithmetic as the ledger's. */
const outcomeSums = sql`count(*), count(*) filter (where c.caller_spoke), count(*) filter (where c.ended_badly),
  count(*) filter (where c.outcome = 'resolved'), count(*) filter (where c.outcome = 'unresolved' and c.ended_badly),
  count(*) filter (where c.outcome = 'transferred'), count(*) filter (where c.outcome = 'abandoned' and c.ended_badly),
  count(*) filter (where c.outcome = 'no_contact'), sum(round(c.duration_ms / 1000.0))::bigint,
  sum(round(c.duration_ms / 1000.0) * round(c.duration_ms / 1000.0))::bigint`;
export const dayOf = sql`coalesce((c.started_at at time zone 'UTC')::date, '0001-01-01'::date)`;

/**
 * Counts links and sums anew from signals and calls, and writes what differs: nothing, where the differences added up.
 * @param issueIds the issues to count; null for all of the agent, with the sums of places too.
 */
export async function rebuildEvidence(em: EntityManager, agentId: string, issueIds: string[] | null): Promise<void> {
  if (issueIds?.length === 0) return;
  const detected = sql`(select id from issues where agent_id = ${agentId} and source = 'detector')`;
  const scope = issueIds ? sql`(select unnest(${issueIds}::uuid[]))` : detected;
  const within = sql`t.issue_id in ${scope}`;
  // Counting anew sorts all links of the agent; in the usual 4 MB that would happen on disk.
  await sql`set local work_mem = '64MB'`.execute(db(em));
  await rebuildLinks(em, agentId, scope, issueIds !== null);
  await settleLinks(em, agentId, within, 'fresh_links');
  await settle(em, {
    table: 'issue_causes',
    key: ['issue_id', 'cause_code'],
    counts: ['calls'],
    agentId,
    within,
    fresh: sql`select issue_id, cause_code, count(distinct call_id) from fresh_signals
      where cause_code is not null and issue_id in ${scope} group by 1, 2`,
  });
  await settle(em, {
    table: 'issue_pairs',
    key: ['first_issue_id', 'then_issue_id'],
    counts: ['calls'],
    agentId,
    within: sql`(t.first_issue_id in ${scope} or t.then_issue_id in ${scope})`,
    fresh: issueIds
      ? sql`select a.issue_id, b.issue_id, count(*) from issue_calls a
          join issue_calls b on b.call_id = a.call_id and b.issue_id <> a.issue_id and a.first_turn < b.first_turn
          where a.own and b.own and a.agent_id = ${agentId} and b.agent_id = ${agentId}
            and a.issue_id in ${detected} and b.issue_id in ${detected}
            and (a.issue_id in ${scope} or b.issue_id in ${scope}) group by 1, 2`
      : sql`select a.issue_id, b.issue_id, count(*) from fresh_links a
          join fresh_links b on b.call_id = a.call_id and a.first_turn < b.first_turn
          where a.own and b.own group by 1, 2`,
  });
  if (issueIds === null) await rebuildPlaces(em, agentId);
  await sql`drop table fresh_signals, fresh_links`.execute(db(em));
}

/** Lays all signals of the issues in question beside their issue again, parents of merged groups included. */
async function rebuildLinks(
  em: EntityManager,
  agentId: string,
  scope: RawBuilder<unknown>,
  partial: boolean,
): Promise<void> {
  const group = (a: string, b: string) => sql`${sql.ref(`${a}.code`)} = ${sql.ref(`${b}.code`)}
    and ${sql.ref(`${a}.place_kind`)} = ${sql.ref(`${b}.place_kind`)}
    and md5(${sql.ref(`${a}.place_id`)}) = md5(${sql.ref(`${b}.place_id`)})`;
  const only = partial
    ? sql`and exists (select 1 from issues m where m.agent_id = ${agentId} and m.source = 'detector'
        and ${group('m', 'b')} and (m.id in ${scope} or m.merged_into_id in ${scope}))`
    : sql``;
  await sql`
    create temp table fresh_signals on commit drop as
    select coalesce(split.id, b.id) as issue_id, s.call_id, s.cause_code, min(s.turn_index) as first_turn,
      max(floor(s.confidence * 1000 + 0.5))::int as confidence_milli
    from issues b
    join call_signals s on s.agent_id = ${agentId} and ${group('s', 'b')}
    left join issues split on split.agent_id = ${agentId} and split.source = 'detector' and split.split_cause <> ''
      and split.split_cause = s.cause_code and ${group('split', 'b')}
    where b.agent_id = ${agentId} and b.source = 'detector' and b.split_cause = '' ${only}
    group by 1, 2, 3`.execute(db(em));
  await sql`
    create temp table fresh_links on commit drop as
    with own as (
      select issue_id, call_id, min(first_turn) as first_turn, max(confidence_milli) as confidence_milli
      from fresh_signals group by 1, 2
    ), parents as (select distinct merged_into_id as id from issues where agent_id = ${agentId}
      and merged_into_id is not null
    ), shown as (
      select issue_id, call_id, first_turn, confidence_milli, true as own from own
      where issue_id not in (select id from parents)
      union all
      select issue_id, call_id, coalesce(min(first_turn) filter (where own), min(first_turn)), max(confidence_milli),
        bool_or(own)
      from (
        select issue_id, call_id, first_turn, confidence_milli, true as own from own
        where issue_id in (select id from parents)
        union all
        select i.merged_into_id, o.call_id, o.first_turn, o.confidence_milli, false from own o
        join issues i on i.id = o.issue_id where i.merged_into_id is not null
      ) family group by 1, 2
    )
    select s.*, c.sort_at, c.outcome, c.version, c.started_at, c.duration_ms, c.caller_spoke, c.ended_badly,
      c.intent_slug
    from shown s join calls c on c.id = s.call_id
    where s.issue_id in ${scope} and c.state = 'analysed'`.execute(db(em));
  await sql`analyze fresh_signals, fresh_links`.execute(db(em));
}

/**
 * What every issue keeps of the calls that show it: the calls themselves, and its sums by version, day and intent.
 * @param links a table of calls beside their issue
 */
export async function settleLinks(
  em: EntityManager,
  agentId: string,
  within: RawBuilder<unknown>,
  links: 'fresh_links' | 'ended_badly',
): Promise<void> {
  const from = sql`from ${sql.table(links)} c`;
  const columns = ['first_turn', 'confidence_milli', 'own', 'sort_at', 'outcome', 'version'];
  await settle(em, {
    table: 'issue_calls',
    key: ['issue_id', 'call_id'],
    counts: columns,
    agentId,
    within,
    fresh: sql`select issue_id, call_id, ${columnsOf(columns)} ${from}`,
  });
  await settle(em, {
    table: 'issue_rollups',
    key: ['issue_id', 'version'],
    counts: ISSUE_COUNTS,
    agentId,
    within,
    fresh: sql`select c.issue_id, c.version, ${outcomeSums}, count(*) filter (where c.own), sum(c.confidence_milli)
      ${from} group by 1, 2`,
  });
  await settle(em, {
    table: 'issue_days',
    key: ['issue_id', 'day'],
    counts: ['calls'],
    agentId,
    within,
    fresh: sql`select c.issue_id, ${dayOf}, count(*) ${from} where c.own group by 1, 2`,
  });
  await settle(em, {
    table: 'issue_intents',
    key: ['issue_id', 'intent_slug'],
    counts: ['calls'],
    agentId,
    within,
    fresh: sql`select issue_id, intent_slug, count(*) ${from} where intent_slug is not null group by 1, 2`,
  });
}

/** Calls by place, counted over the few sets of places that calls reach rather than over each call's places. */
async function rebuildPlaces(em: EntityManager, agentId: string): Promise<void> {
  const [, ...rest] = OUTCOME_COUNTS;
  const counted = sql.join(['calls', ...rest].map((name) => sql`sum(${sql.ref(`n.${name}`)})::bigint`));
  await settle(em, {
    table: 'place_rollups',
    key: ['place_kind', 'place_digest', 'profile_id', 'version', 'day'],
    counts: [...OUTCOME_COUNTS, 'first_started_at', 'last_started_at'],
    agentId,
    within: ofAgent('t', agentId),
    fresh: sql`
      with n(visit_set_id, profile_id, version, day, ${columnsOf(OUTCOME_COUNTS)},
        first_at, last_at) as materialized (
        select c.visit_set_id, c.profile_id, c.version, ${dayOf}, ${outcomeSums}, min(c.started_at), max(c.started_at)
        from calls c where c.agent_id = ${agentId} and c.state = 'analysed' group by 1, 2, 3, 4
      ), reached as (
        select v.id, p.kind, md5(p.id) as digest from visit_sets v
        cross join lateral (select distinct e ->> 'kind' as kind, e ->> 'id' as id
          from jsonb_array_elements(v.places) e) p
        where v.agent_id = ${agentId} and not (p.kind = 'agent' and p.id = 'agent')
      )
      select 'agent', md5('agent'), n.profile_id, n.version, n.day, ${counted}, min(first_at), max(last_at)
      from n group by 1, 2, 3, 4, 5
      union all
      select r.kind, r.digest, n.profile_id, n.version, n.day, ${counted}, null, null
      from n join reached r on r.id = n.visit_set_id group by 1, 2, 3, 4, 5`,
  });
  await sql`
    update agents a set call_count = counted.calls from (
      select count(*)::int as calls from calls where agent_id = ${agentId} and state = 'analysed') counted
    where a.id = ${agentId} and a.call_count <> counted.calls`.execute(db(em));
}
