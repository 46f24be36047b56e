import type { IssueStatus } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { clock, given } from '../expressions.ts';
import { type ListPage, newestFirst } from '../pages.ts';

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
  const rows = entries.map(({ issueId, from, to, trigger, personId, reason }) => ({
    id: newId(),
    issueId,
    fromStatus: from,
    toStatus: to,
    trigger,
    personId,
    reason,
  }));
  const columns = ['id', 'issueId', 'fromStatus', 'toStatus', 'trigger', 'personId', 'reason'] as const;
  await db(em)
    .insertInto('issue_history')
    .columns([...columns, 'agentId', 'workspaceId', 'createdAt'])
    .expression((eb) =>
      eb
        .selectFrom(given('issue_history', rows))
        .innerJoin('agents as a', (join) => join.on('a.id', '=', agentId))
        .select(['given.id', 'given.issueId', 'given.fromStatus', 'given.toStatus', 'given.trigger'])
        .select(['given.personId', 'given.reason', 'a.id as agentId', 'a.workspaceId', clock.as('createdAt')]),
    )
    .execute();
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
export function listHistory(
  em: EntityManager,
  issue: { id: string; agentId: string },
  page: ListPage,
): Promise<HistoryView[]> {
  const entries = db(em)
    .selectFrom('issue_history as h')
    .leftJoin('people as p', 'p.id', 'h.personId')
    .where('h.issueId', '=', issue.id)
    .where('h.agentId', '=', issue.agentId);
  return newestFirst(entries, ['h.createdAt', 'h.id'], page)
    .select(['h.id', 'h.fromStatus as from', 'h.toStatus as to', 'h.trigger', 'h.personId', 'p.name as personName'])
    .select(['h.reason', 'h.createdAt as at'])
    .execute();
}
