import { sql } from 'kysely';
import { newId } from '../../ids.ts';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import type { IssueView } from './read-issues.ts';

export interface CommentView {
  id: string;
  personId: string;
  personName: string;
  text: string;
  createdAt: string;
}

/** Where a page of a list in the order of time ended. */
export type TimePosition = readonly [at: string, id: string];

const columns = sql`c.id, c.person_id, coalesce(p.name, '') as person_name, c.text,
  c.created_at`;

export async function addComment(
  em: EntityManager,
  issue: IssueView,
  comment: { workspaceId: string; personId: string; text: string },
): Promise<CommentView> {
  const { rows } = await sql<CommentView>`
    with c as (
      insert into issue_comments (id, workspace_id, agent_id, issue_id, person_id, text)
      values (${newId()}, ${comment.workspaceId}, ${issue.agentId}, ${issue.id}, ${comment.personId}, ${comment.text})
      returning *
    )
    select ${columns} from c left join people p on p.id = c.person_id`.execute(db(em));
  const [row] = rows;
  if (!row) throw new Error('A comment that was just made is not there.');
  return toView(row);
}

/** Oldest first. */
export async function listComments(
  em: EntityManager,
  issue: IssueView,
  page: { after: TimePosition | null; limit: number },
): Promise<CommentView[]> {
  const after = page.after
    ? sql`and (c.created_at, c.id) > (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<CommentView>`
    select ${columns} from issue_comments c left join people p on p.id = c.person_id
    where c.issue_id = ${issue.id} and c.agent_id = ${issue.agentId} ${after}
    order by c.created_at, c.id limit ${page.limit + 1}`.execute(db(em));
  return rows.map(toView);
}

const toView = (row: CommentView): CommentView => ({ ...row, createdAt: toIso(row.createdAt) });
