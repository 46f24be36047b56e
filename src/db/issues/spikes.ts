import { sql } from 'kysely';
import { type DayAndPast, findSpike, PAST_DAYS, SPIKE_CALLS, type Spike } from '../../domain/issues/spike.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { NewEvent } from '../events/events.ts';
import { asGiven, given } from '../expressions.ts';

/** A spike that goes on, or comes back within a week, was said already. */
const QUIET_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Looks at the day of the agent's newest analysed call and at the one before: which issues are far more common than in
 * the 28 days before? Costs nothing for issues with fewer than five calls on such a day.
 */
export async function noteSpikes(em: EntityManager, agentId: string): Promise<NewEvent[]> {
  const { rows } = await sql<DayAndPast & { id: string; last: Spike | null; onBoard: boolean }>`
    with days as (
      select a.id as agent_id, a.board_source, (a.newest_call_at at time zone 'UTC')::date - back as day
      from agents a, generate_series(0, 1) back where a.id = ${agentId} and a.newest_call_at is not null
    ), asked as (
      select i.id, i.code, i.spike, i.source = days.board_source as on_board, days.day, d.calls
      from days
      join issue_days d on d.agent_id = days.agent_id and d.day = days.day and d.calls >= ${SPIKE_CALLS}
      join issues i on i.id = d.issue_id and i.confirmed and i.withdrawn_at is null and i.klass <> 'behaviour'
        and not i.count_only and not i.rejected
    ), bases as (
      select profile_id, day, sum(calls) as calls from place_rollups
      where agent_id = ${agentId} and place_kind = 'agent' and place_digest = md5('agent')
        and day >= (select min(day) - ${PAST_DAYS}::int from days) group by profile_id, day
    )
    select a.id, a.spike as last, a.on_board, a.day::text, a.calls,
      sum(b.calls) filter (where b.day = a.day)::float8 as of,
      coalesce(sum(b.calls) filter (where b.day < a.day), 0)::float8 as past_of,
      coalesce((select sum(p.calls) from issue_days p where p.issue_id = a.id and p.day < a.day
        and p.day >= a.day - ${PAST_DAYS}::int), 0)::float8 as past_calls
    from asked a
    join computability_profiles c on c.agent_id = ${agentId}
      and not c.not_computable @> jsonb_build_array(jsonb_build_object('code', a.code))
    join bases b on b.profile_id = c.id and b.day >= a.day - ${PAST_DAYS}::int and b.day <= a.day
    group by a.id, a.spike, a.on_board, a.day, a.calls order by a.id, a.day`.execute(db(em));
  const found = rows.flatMap(({ id, last, onBoard, ...facts }) => {
    const spike = findSpike(facts);
    if (spike === null || (last !== null && (spike.day < last.day || isSame(spike, last)))) return [];
    return [{ id, last, onBoard, spike }];
  });
  if (found.length === 0) return [];
  // Of two days the newer is kept; rows come in the order of days.
  const newest = new Map(found.map(({ id, spike }) => [id, spike]));
  const spikes = [...newest].map(([id, spike]) => ({ id, spike }));
  await db(em)
    .updateTable('issues')
    .from(given('issues', spikes))
    .whereRef('issues.id', '=', 'given.id')
    .set(asGiven('issues', ['spike']))
    .execute();
  const isNew = (last: Spike | null, day: string) =>
    last === null || Date.parse(day) - Date.parse(last.day) > QUIET_DAYS * DAY_MS;
  const told = found.filter(({ last, onBoard, spike }) => onBoard && isNew(last, spike.day));
  return [...new Set(told.map(({ id }) => id))].map((ref) => ({ kind: 'issue.spiked', ref }));
}

function isSame(a: Spike, b: Spike): boolean {
  return (
    a.day === b.day && a.calls === b.calls && a.of === b.of && a.pastCalls === b.pastCalls && a.pastOf === b.pastOf
  );
}
