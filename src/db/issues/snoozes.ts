import { expressionBuilder, sql } from 'kysely';
import { snoozeEnd } from '../../domain/issues/snooze.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { NewEvent } from '../events/events.ts';
import { everyCall, isComputable } from '../evidence/every-call.ts';
import { anyId, epochMs, now } from '../expressions.ts';
import type { Tables } from '../tables.ts';
import { addHistory } from './issue-history.ts';

const REASONS = {
  time: 'Its time is over.',
  regressed: 'A later call shows the issue again.',
  grew: 'It grew: the lower bound of its rate over the last seven days is above one and a half times the rate at the begin.',
} as const;

export const NOT_SNOOZED = {
  snoozedAt: null,
  snoozedUntil: null,
  snoozedBy: null,
  snoozeRate: null,
  updatedAt: now,
};

/** Ends the snoozes of an agent whose time is over, whose issue came back or grew. @returns events, and when the others end. */
export async function endSnoozes(
  em: EntityManager,
  agentId: string,
  regressed: ReadonlySet<string>,
): Promise<{ events: NewEvent[]; endsMs: number[] }> {
  const rows = await db(em)
    .selectFrom('issues')
    .where('agentId', '=', agentId)
    .where('snoozedAt', 'is not', null)
    .select(['id', 'status'])
    .select(({ fn, ref, val }) => [
      epochMs(now).as('nowMs'),
      epochMs(ref('snoozedUntil')).as('untilMs'),
      fn.coalesce('snoozeRate', val(0)).as('rate'),
    ])
    .orderBy('id')
    .execute();
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
  await db(em)
    .updateTable('issues')
    .where('id', '=', anyId(ended.map(({ id }) => id)))
    .where('agentId', '=', agentId)
    .set(NOT_SNOOZED)
    .execute();
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
  const fromDay = expressionBuilder<Tables>()
    .selectFrom('agents')
    .where('id', '=', agentId)
    .select(sql<string>`(newest_call_at at time zone 'UTC')::date - 6`.as('day'));
  const weeks = await db(em)
    .with('bases', () =>
      everyCall(em)
        .where('agentId', '=', agentId)
        .where('day', '>=', fromDay)
        .groupBy('profileId')
        .select(({ fn }) => ['profileId', fn.sum<number>('calls').as('calls')]),
    )
    .selectFrom('issues as i')
    .where('i.agentId', '=', agentId)
    .where('i.id', '=', anyId(issueIds))
    .select(({ fn, val, selectFrom }) => [
      'i.id',
      fn
        .coalesce(
          selectFrom('issue_days as d')
            .whereRef('d.issueId', '=', 'i.id')
            .where('d.day', '>=', fromDay)
            .select((eb) => eb.fn.sum<number>('d.calls').as('calls')),
          val(0),
        )
        .as('calls'),
      fn
        .coalesce(
          selectFrom('bases as b')
            .innerJoin('computability_profiles as p', 'p.id', 'b.profileId')
            .where(({ ref }) => isComputable(ref('p.notComputable'), ref('i.code')))
            .select((eb) => eb.fn.sum<number>('b.calls').as('calls')),
          val(0),
        )
        .as('of'),
    ])
    .execute();
  return new Map(weeks.map(({ id, ...week }) => [id, week]));
}
