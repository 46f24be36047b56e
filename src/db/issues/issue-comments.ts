import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { type ListPage, oldestFirst } from '../pages.ts';
import type { IssueView } from './read-issues.ts';

export interface CommentView {
  id: string;
  personId: string;
  personName: string;
  text: string;
  createdAt: string;
}

export async function addComment(
  em: EntityManager,
  issue: IssueView,
  { workspaceId, personId, text }: { workspaceId: string; personId: string; text: string },
): Promise<CommentView> {
  return db(em)
    .with('c', (within) =>
      within
        .insertInto('issue_comments')
        .values({ id: newId(), workspaceId, agentId: issue.agentId, issueId: issue.id, personId, text })
        .returning(['id', 'personId', 'text', 'createdAt']),
    )
    .selectFrom('c')
    .leftJoin('people as p', 'p.id', 'c.personId')
    .select(['c.id', 'c.personId', 'c.text', 'c.createdAt'])
    .select(({ fn, val }) => fn.coalesce('p.name', val('')).as('personName'))
    .executeTakeFirstOrThrow();
}

/** Who looks after an issue, and those who commented on it. */
export async function concernedBy(em: EntityManager, issue: IssueView): Promise<string[]> {
  const rows = await db(em)
    .selectFrom('issues')
    .where('id', '=', issue.id)
    .where('agentId', '=', issue.agentId)
    .where('ownerId', 'is not', null)
    .select((eb) => eb.ref('ownerId').$notNull().as('personId'))
    .union((eb) =>
      eb
        .selectFrom('issue_comments')
        .where('issueId', '=', issue.id)
        .where('agentId', '=', issue.agentId)
        .select('personId'),
    )
    .execute();
  return rows.map(({ personId }) => personId);
}

/** Oldest first. */
export function listComments(em: EntityManager, issue: IssueView, page: ListPage): Promise<CommentView[]> {
  const comments = db(em)
    .selectFrom('issue_comments as c')
    .leftJoin('people as p', 'p.id', 'c.personId')
    .where('c.issueId', '=', issue.id)
    .where('c.agentId', '=', issue.agentId);
  return oldestFirst(comments, ['c.createdAt', 'c.id'], page)
    .select(['c.id', 'c.personId', 'c.text', 'c.createdAt'])
    .select(({ fn, val }) => fn.coalesce('p.name', val('')).as('personName'))
    .execute();
}
