import { sql } from 'kysely';
import { describeFix } from '../../domain/issues/live.ts';
import type { StandingIssue, StatusChange } from '../../domain/issues/status-by-person.ts';
import type { IssueStatus } from '../../domain/vocabulary.ts';
import { toIsoOrNull } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { loadWeeks } from './snoozes.ts';

/** An issue under the lock of the caller's transaction: what it is judged by is what is changed. */
export interface LockedIssue extends StandingIssue {
  id: string;
  agentId: string;
  ownerId: string | null;
  snoozed: boolean;
}

export async function lockIssue(em: EntityManager, agentId: string, issueId: string): Promise<LockedIssue> {
  const { rows } = await sql<LockedIssue>`
    select id, agent_id, status, rejected, withdrawn_at is not null as withdrawn,
      klass <> 'behaviour' and not count_only as is_problem, fix_version, owner_id,
      snoozed_at is not null as snoozed
    from issues where id = ${issueId} and agent_id = ${agentId} for no key update`.execute(db(em));
  const [row] = rows;
  if (!row) throw new Error('An issue that was just there is gone.');
  return row;
}

/** Sets what a person decided, its fix told anew, and the number of open issues where no regroup is about to count them. */
export async function setStatus(
  em: EntityManager,
  issue: LockedIssue,
  change: StatusChange,
  graceDays: number,
): Promise<void> {
  const resolves = change.status === 'resolved';
  const fix = change.fixVersion === null ? null : await readFix(em, issue, change.fixVersion, change.status, graceDays);
  await sql`
    update issues set status = ${change.status}, rejected = ${change.rejected}, fix_version = ${change.fixVersion}::int,
      fix = coalesce(${fix === null ? null : JSON.stringify(fix)}::jsonb, fix),
      resolved_at = case when ${resolves} then coalesce(resolved_at, now()) end,
      reopened_at = case when ${change.reopens} then now() when ${resolves} then null else reopened_at end,
      updated_at = now()
    where id = ${issue.id}`.execute(db(em));
  await sql`
    update agents a set open_issue_count = (
      select count(*) from issues i where i.agent_id = a.id and i.section <> 'hidden' and i.withdrawn_at is null
        and i.status <> 'resolved' and i.source = a.board_source and i.klass <> 'behaviour')
    where a.id in (select id from agents where id = ${issue.agentId} for no key update skip locked)`.execute(db(em));
}

async function readFix(em: EntityManager, issue: LockedIssue, version: number, status: IssueStatus, graceDays: number) {
  const { rows } = await sql<{ first: string | null; last: string | null; calls: number; shown: number }>`
    select min(r.first_started_at) as first, max(r.last_started_at) as last, coalesce(sum(r.calls), 0)::float8 as calls,
      (select coalesce(sum(calls), 0)::float8 from issue_rollups where issue_id = ${issue.id} and version = ${version})
        as shown
    from place_rollups r
    join computability_profiles p on p.id = r.profile_id
    join issues i on i.id = ${issue.id}
      and not p.not_computable @> jsonb_build_array(jsonb_build_object('code', i.code))
    where r.agent_id = ${issue.agentId} and r.place_kind = 'agent' and r.place_digest = md5('agent')
      and r.version = ${version}`.execute(db(em));
  const { first = null, last = null, calls = 0, shown = 0 } = rows[0] ?? {};
  const span = calls === 0 ? null : { firstStartedAt: toIsoOrNull(first), lastStartedAt: toIsoOrNull(last) };
  return describeFix({ version, status, graceDays, span, shows: shown > 0 });
}

export async function setOwner(em: EntityManager, issueId: string, ownerId: string | null): Promise<void> {
  await sql`update issues set owner_id = ${ownerId}::uuid, updated_at = now() where id = ${issueId}`.execute(db(em));
}

/** Begins a snooze at the rate of the last seven days. @param until null: until the issue grows or comes back. */
export async function beginSnooze(
  em: EntityManager,
  issue: LockedIssue,
  snooze: { until: string | null; personId: string },
): Promise<void> {
  const week = (await loadWeeks(em, issue.agentId, [issue.id])).get(issue.id);
  const rate = week && week.of > 0 ? Math.min(1, week.calls / week.of) : 0;
  await sql`
    update issues set snoozed_at = now(), snoozed_until = ${snooze.until}::timestamptz, snoozed_by = ${snooze.personId},
      snooze_rate = ${rate}, updated_at = now() where id = ${issue.id}`.execute(db(em));
}

export async function endSnooze(em: EntityManager, issueId: string): Promise<void> {
  await sql`
    update issues set snoozed_at = null, snoozed_until = null, snoozed_by = null, snooze_rate = null, updated_at = now()
    where id = ${issueId}`.execute(db(em));
}
