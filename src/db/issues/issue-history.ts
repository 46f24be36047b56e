import { sql } from 'kysely';
import type { IssueStatus } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

export interface NewHistoryEntry {
  issueId: string;
  from: IssueStatus | null;
  to: IssueStatus;
  /** What moved it: `confirmed`, `withdrawn`, `returned`, `not_seen`, `seen_again`, `person`, `owner`, `snoozed`, `snooze_ended`. */
  trigger: string;
  personId: string | null;
  reason: string | null;
}

/** Call it with the issues' rows locked: entries then stand in the order of the changes, whoever began first. */
export async function addHistory(
  em: EntityManager,
  agentId: string,
  entries: readonly NewHistoryEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({ ...entry, id: newId() }));
  await sql`
    insert into issue_history (id, issue_id, agent_id, workspace_id, from_status, to_status, trigger, person_id, reason,
      created_at)
    select r.id, "issueId", a.id, a.workspace_id, "from", "to", trigger, "personId", reason, clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, "issueId" uuid, "from" text, "to" text,
      trigger text, "personId" uuid, reason text)
    join agents a on a.id = ${agentId}`.execute(db(em));
}

export interface HistoryView {
  id: string;
  from: IssueStatus | null;
  to: IssueStatus;
  trigger: string;
  personId: string | null;
  personName: string | null;
  reason: string | null;
  at: string;
}

/** Newest first. */
export async function listHistory(
  em: EntityManager,
  issue: { id: string; agentId: string },
  page: { after: readonly [at: string, id: string] | null; limit: number },
): Promise<HistoryView[]> {
  const after = page.after
    ? sql`and (h.created_at, h.id) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<HistoryView>`
    select h.id, h.from_status as "from", h.to_status as "to", h.trigger, h.person_id as "personId",
      p.name as person_name, h.reason, h.created_at as "at"
    from issue_history h left join people p on p.id = h.person_id
    where h.issue_id = ${issue.id} and h.agent_id = ${issue.agentId} ${after}
    order by h.created_at desc, h.id desc limit ${page.limit + 1}`.execute(db(em));
  return rows.map((row) => ({ ...row, at: toIso(row.at) }));
}
