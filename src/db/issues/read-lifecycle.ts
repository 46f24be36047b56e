import { sql } from 'kysely';
import type { SilenceFacts } from '../../domain/issues/certainty.ts';
import { type LifeStep, nextStep } from '../../domain/issues/lifecycle.ts';
import type { Spike } from '../../domain/issues/spike.ts';
import { toIsoOrNull, toNumber } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { loadLife } from './load-life.ts';
import type { IssueView } from './read-issues.ts';

/** What time makes of an issue, and what is known about its silence. */
export interface ResolutionView {
  /** Null: it is resolved, or has no life (withdrawn, unconfirmed, a count, what callers do). */
  step: LifeStep | null;
  lastSeenAt: string | null;
  silence: SilenceFacts;
}

export async function readResolution(em: EntityManager, issue: IssueView): Promise<ResolutionView> {
  const { nowMs, agent, issues } = await loadLife(em, issue.agentId, issue.id);
  const [living] = issues;
  const step = living ? nextStep(living.issue, living.facts, nowMs, agent.graceDays) : null;
  // Whole days from the sums; of the day on which it was last seen the calls after that moment.
  const { rows } = await sql<{
    lastSeenAt: string | null;
    total: string | null;
    later: string | null;
    sameDay: string;
    shown: string;
  }>`
    with asked as (
      select i.last_seen_at, (i.last_seen_at at time zone 'UTC')::date as last_day,
        array(select p.id from computability_profiles p where p.agent_id = i.agent_id
          and not p.not_computable @> jsonb_build_array(jsonb_build_object('code', i.code))) as profiles
      from issues i where i.id = ${issue.id} and i.agent_id = ${issue.agentId}
    )
    select a.last_seen_at,
      (select sum(calls) from issue_rollups where issue_id = ${issue.id}) as shown,
      sum(r.calls) as total, sum(r.calls) filter (where r.day > a.last_day) as later,
      (select count(*) from calls c where c.agent_id = ${issue.agentId} and c.state = 'analysed'
        and c.sort_at > a.last_seen_at and c.sort_at < (a.last_day + 1)::timestamp at time zone 'UTC'
        and c.profile_id = any(a.profiles)) as same_day
    from asked a
    left join place_rollups r on r.agent_id = ${issue.agentId} and r.place_kind = 'agent'
      and r.place_digest = md5('agent') and r.profile_id = any(a.profiles)
    group by a.last_seen_at, a.last_day, a.profiles`.execute(db(em));
  const [row] = rows;
  const since = row?.lastSeenAt ? toNumber(row.later ?? 0) + toNumber(row.sameDay) : 0;
  const computable = Math.max(0, toNumber(row?.total ?? 0) - since);
  const shown = Math.min(toNumber(row?.shown ?? 0), computable);
  return { step, lastSeenAt: toIsoOrNull(row?.lastSeenAt ?? null), silence: { shown, computable, since } };
}

/** The last day on which it was far more common than before, or null. */
export async function readSpike(em: EntityManager, issue: IssueView): Promise<Spike | null> {
  const { rows } = await sql<{ spike: Spike | null }>`
    select spike from issues where id = ${issue.id} and agent_id = ${issue.agentId}`.execute(db(em));
  return rows[0]?.spike ?? null;
}

/** What belongs to people about an issue. */
export interface IssueCare {
  rejected: boolean;
  resolvedAt: string | null;
  owner: { id: string; name: string } | null;
  snooze: { since: string; until: string | null; by: { id: string; name: string } | null; rate: number } | null;
  spike: Spike | null;
  comments: number;
}

/** A snooze whose time is over counts as ended, also where nobody has cleared it away yet. */
export async function readCare(em: EntityManager, issue: IssueView): Promise<IssueCare> {
  const { rows } = await sql<{
    rejected: boolean;
    resolvedAt: string | null;
    ownerId: string | null;
    ownerName: string | null;
    snoozedAt: string | null;
    snoozedUntil: string | null;
    snoozerId: string | null;
    snoozerName: string | null;
    snoozeRate: number | null;
    spike: Spike | null;
    comments: string;
  }>`
    select i.rejected, i.resolved_at, i.owner_id, o.name as owner_name,
      case when i.snoozed_until is null or i.snoozed_until > now() then i.snoozed_at end as snoozed_at,
      i.snoozed_until, i.snoozed_by as snoozer_id, s.name as snoozer_name,
      i.snooze_rate, i.spike,
      (select count(*) from issue_comments c where c.issue_id = i.id) as comments
    from issues i left join people o on o.id = i.owner_id left join people s on s.id = i.snoozed_by
    where i.id = ${issue.id} and i.agent_id = ${issue.agentId}`.execute(db(em));
  const [row] = rows;
  if (!row) throw new Error('An issue that was just there is gone.');
  const since = toIsoOrNull(row.snoozedAt);
  return {
    rejected: row.rejected,
    resolvedAt: toIsoOrNull(row.resolvedAt),
    owner: row.ownerId === null ? null : { id: row.ownerId, name: row.ownerName ?? '' },
    snooze:
      since === null
        ? null
        : {
            since,
            until: toIsoOrNull(row.snoozedUntil),
            by: row.snoozerId === null ? null : { id: row.snoozerId, name: row.snoozerName ?? '' },
            rate: row.snoozeRate ?? 0,
          },
    spike: row.spike,
    comments: toNumber(row.comments),
  };
}
