import { sql } from 'kysely';
import { snoozeEnd } from '../../domain/issues/snooze.ts';
import type { IssueStatus } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { NewEvent } from '../events/events.ts';
import { addHistory } from './issue-history.ts';

const REASONS = {
  time: 'Its time is over.',
  regressed: 'A later call shows the issue again.',
  grew: 'It grew: the lower bound of its rate over the last seven days is above one and a half times the rate at the begin.',
} as const;

/** Ends the snoozes of an agent whose time is over, whose issue came back or grew. @returns events, and when the others end. */
export async function endSnoozes(
  em: EntityManager,
  agentId: string,
  regressed: ReadonlySet<string>,
): Promise<{ events: NewEvent[]; endsMs: number[] }> {
  const { rows } = await sql<{ id: string; status: IssueStatus; untilMs: number | null; rate: number; nowMs: number }>`
    select id, status, (extract(epoch from now()) * 1000)::float8 as now_ms, (extract(epoch from snoozed_until) * 1000)::float8 as until_ms, coalesce(snooze_rate, 0) as rate
    from issues where agent_id = ${agentId} and snoozed_at is not null order by id`.execute(db(em));
  if (rows.length === 0) return { events: [], endsMs: [] };
  const weeks = await loadWeeks(
    em,
    agentId,
    rows.map(({ id }) => id),
  );
  const ended = rows.flatMap((row) => {
    const week = weeks.get(row.id) ?? { calls: 0, of: 0 };
    const why = snoozeEnd(row, { nowMs: row.nowMs, regressed: regressed.has(row.id), week });
    return why === null ? [] : [{ ...row, why }];
  });
  const endsMs = rows.flatMap(({ id, untilMs }) => (ended.some((row) => row.id === id) ? [] : (untilMs ?? [])));
  if (ended.length === 0) return { events: [], endsMs };
  await sql`
    update issues set snoozed_at = null, snoozed_until = null, snoozed_by = null, snooze_rate = null, updated_at = now()
    where id = any(${ended.map(({ id }) => id)}::uuid[]) and agent_id = ${agentId}`.execute(db(em));
  await addHistory(
    em,
    agentId,
    ended.map(({ id, status, why }) => ({
      issueId: id,
      from: status,
      to: status,
      trigger: 'snooze_ended',
      personId: null,
      reason: REASONS[why],
    })),
  );
  return { events: ended.map(({ id }) => ({ kind: 'issue.changed', ref: id })), endsMs };
}

/** The seven days up to the newest analysed call: calls that show an issue, and those on which it could be computed. */
export async function loadWeeks(
  em: EntityManager,
  agentId: string,
  issueIds: readonly string[],
): Promise<Map<string, { calls: number; of: number }>> {
  const { rows } = await sql<{ id: string; calls: number; of: number }>`
    with week as (
      select (newest_call_at at time zone 'UTC')::date - 6 as from_day from agents where id = ${agentId}
    ), bases as (
      select r.profile_id, sum(r.calls) as calls from place_rollups r, week
      where r.agent_id = ${agentId} and r.place_kind = 'agent' and r.place_digest = md5('agent')
        and r.day >= week.from_day group by r.profile_id
    )
    select i.id, coalesce((select sum(d.calls) from issue_days d, week
        where d.issue_id = i.id and d.day >= week.from_day), 0)::float8 as calls,
      coalesce((select sum(b.calls) from bases b join computability_profiles p on p.id = b.profile_id
        where not p.not_computable @> jsonb_build_array(jsonb_build_object('code', i.code))), 0)::float8 as of
    from issues i where i.agent_id = ${agentId} and i.id = any(${[...issueIds]}::uuid[])`.execute(db(em));
  return new Map(rows.map(({ id, ...week }) => [id, week]));
}
