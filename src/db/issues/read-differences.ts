import { sql } from 'kysely';
import type { Compared, ValueCount } from '../../domain/issues/differences.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { IssueView } from './read-issues.ts';

/** So many calls before the last one that shows the issue, and as many after: what is compared has a bound, whatever the history. */
export const COMPARED_CALLS = 10_000;

const facts = sql`c.id, c.version, c.intent_slug, c.persona_slug, c.started_at, c.direction, c.caller_kind,
  c.duration_ms, c.visit_set_id, c.profile_id`;

/**
 * Calls that show an issue beside the others that reached the same place and on which the code could be computed, by
 * everything in which they may differ. On affected calls only signals before the issue's own first turn count.
 */
export async function readDifferences(
  em: EntityManager,
  issue: IssueView,
): Promise<{ all: Compared; counts: ValueCount[] }> {
  const place = JSON.stringify([{ kind: issue.placeKind, id: issue.placeId }]);
  const visited =
    issue.placeKind === 'tool' || issue.placeKind === 'node'
      ? sql`and exists (select 1 from visit_sets v where v.id = c.visit_set_id and v.places @> ${place}::jsonb)`
      : sql``;
  const { rows } = await sql<{
    dimension: ValueCount['dimension'] | 'all';
    value: string;
    affected: number;
    others: number;
  }>`
    with last as (
      select sort_at from issue_calls where issue_id = ${issue.id} and agent_id = ${issue.agentId}
      order by sort_at desc limit 1
    ), around as (
      (select ${facts} from calls c where c.agent_id = ${issue.agentId} and c.state = 'analysed'
        and c.sort_at <= (select sort_at from last) order by c.sort_at desc, c.id desc limit ${COMPARED_CALLS})
      union all
      (select ${facts} from calls c where c.agent_id = ${issue.agentId} and c.state = 'analysed'
        and c.sort_at > (select sort_at from last) order by c.sort_at, c.id limit ${COMPARED_CALLS})
    ), sample as materialized (
      select c.*, l.call_id is not null as affected, l.first_turn
      from around c left join issue_calls l on l.issue_id = ${issue.id} and l.call_id = c.id
      where l.call_id is not null or (not exists (select 1 from computability_profiles p
        where p.id = c.profile_id and p.not_computable @> ${JSON.stringify([{ code: issue.code }])}::jsonb) ${visited})
    ), earlier as (
      select distinct s.id, s.affected, g.code from sample s join call_signals g on g.call_id = s.id
      where g.code <> ${issue.code} and (s.first_turn is null or g.turn_index < s.first_turn)
    )
    select 'all' as dimension, '' as value, count(*) filter (where affected)::int as affected,
      count(*) filter (where not affected)::int as others from sample
    union all
    select d.dimension, d.value, count(*) filter (where s.affected)::int, count(*) filter (where not s.affected)::int
    from sample s cross join lateral (values
      ('version', s.version::text), ('intent', s.intent_slug), ('persona', s.persona_slug),
      ('weekday', trim(to_char(s.started_at at time zone 'UTC', 'Day'))),
      ('hours', to_char(floor(extract(hour from s.started_at at time zone 'UTC') / 4) * 4, 'FM00') || '-'
        || to_char(floor(extract(hour from s.started_at at time zone 'UTC') / 4) * 4 + 4, 'FM00') || ' UTC'),
      ('direction', s.direction), ('caller', s.caller_kind),
      ('duration', case when s.duration_ms < 30000 then 'under 30 s' when s.duration_ms < 60000 then '30 to 60 s'
        when s.duration_ms < 180000 then '1 to 3 min' when s.duration_ms < 600000 then '3 to 10 min'
        else 'over 10 min' end)
    ) d(dimension, value)
    where d.value is not null group by 1, 2
    union all
    select 'signal_before', code, count(*) filter (where affected)::int, count(*) filter (where not affected)::int
    from earlier group by 2
    order by 1, 2`.execute(db(em));
  const all = rows.find(({ dimension }) => dimension === 'all') ?? { affected: 0, others: 0 };
  return {
    all: { affected: all.affected, others: all.others },
    counts: rows.flatMap(({ dimension, ...count }) => (dimension === 'all' ? [] : [{ dimension, ...count }])),
  };
}
