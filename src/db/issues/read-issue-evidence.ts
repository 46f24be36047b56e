import { sql } from 'kysely';
import type { IssueStatus } from '../../domain/vocabulary.ts';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { IssueView } from './read-issues.ts';

/** On how many calls of the issue each cause's evidence was present, most frequent first. */
export async function readIssueCauses(
  em: EntityManager,
  issue: IssueView,
): Promise<{ code: string; label: string; calls: number }[]> {
  const { rows } = await sql<{ code: string; label: string; calls: number }>`
    select cause_code as code, calls, coalesce((
        select s.cause_label from call_signals s
        where s.agent_id = c.agent_id and s.code = ${issue.code} and s.place_kind = ${issue.placeKind}
          and md5(s.place_id) = md5(${issue.placeId}) and s.cause_code = c.cause_code limit 1), cause_code) as label
    from issue_causes c where issue_id = ${issue.id} and agent_id = ${issue.agentId} and calls > 0
    order by calls desc, cause_code limit 50
  `.execute(db(em));
  return rows;
}

export interface HistoryEntry {
  from: IssueStatus | null;
  to: IssueStatus;
  trigger: string;
  personId: string | null;
  reason: string | null;
  at: string;
}

/** Changes of the issue's status, oldest first. Who looks after it and snoozes are the workspace's own affair. */
export async function readIssueHistory(em: EntityManager, issue: IssueView): Promise<HistoryEntry[]> {
  const { rows } = await sql<HistoryEntry>`
    select from_status as "from", to_status as "to", trigger, person_id, reason, created_at as "at"
    from issue_history where issue_id = ${issue.id} and agent_id = ${issue.agentId}
      and trigger not in ('owner', 'snoozed', 'snooze_ended') order by created_at, id limit 1000
  `.execute(db(em));
  return rows.map((row) => ({ ...row, at: toIso(row.at) }));
}

/** Calls of which it is known how they ended. */
const KNOWN = sql`resolved + unresolved + transferred + abandoned + no_contact`;

/** Calls of a detector issue on which its code stands on a model's reading alone. */
export async function countCallsByModel(em: EntityManager, issue: IssueView): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select count(*)::int as calls from (
      select s.call_id from issue_calls l join call_signals s on s.call_id = l.call_id
      where l.issue_id = ${issue.id} and l.agent_id = ${issue.agentId} and s.code = ${issue.code}
        and s.place_kind = ${issue.placeKind} and s.place_id = ${issue.placeId}
      group by s.call_id having bool_and(s.basis = 'model')) found
  `.execute(em.getKysely());
  return rows[0]?.calls ?? 0;
}

/** Outcomes of the calls of the issue, and of all calls: the two sides of "ended badly". */
export async function readBadEndings(
  em: EntityManager,
  issue: IssueView,
): Promise<{ affected: { calls: number; bad: number }; all: { calls: number; bad: number } }> {
  const { rows } = await sql<{ calls: number; bad: number; allCalls: number; allBad: number }>`
    select coalesce(sum(${KNOWN}), 0)::float8 as calls, coalesce(sum(bad), 0)::float8 as bad,
      (select coalesce(sum(${KNOWN}), 0)::float8 from place_rollups where agent_id = ${issue.agentId}
        and place_kind = 'agent' and place_digest = md5('agent')) as all_calls,
      (select coalesce(sum(bad), 0)::float8 from place_rollups where agent_id = ${issue.agentId}
        and place_kind = 'agent' and place_digest = md5('agent')) as all_bad
    from issue_rollups where issue_id = ${issue.id} and agent_id = ${issue.agentId}
  `.execute(db(em));
  const row = rows[0] ?? { calls: 0, bad: 0, allCalls: 0, allBad: 0 };
  return { affected: { calls: row.calls, bad: row.bad }, all: { calls: row.allCalls, bad: row.allBad } };
}
