import type { IssueClass, IssueSource, Lane, PlaceKind, Severity } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { given } from '../expressions.ts';

/** An issue seen for the first time, before anything is computed of it. */
export interface NewIssue {
  id: string;
  key: string;
  source: IssueSource;
  code: string;
  countOnly: boolean;
  placeKind: PlaceKind;
  placeId: string;
  placeLabel: string;
  klass: IssueClass;
  lane: Lane | null;
  severity: Severity;
}

/** Rows that are hidden until a regroup confirms them, which also brings the catalogue's title. */
export const newIssues = (em: EntityManager, agentId: string, issues: readonly NewIssue[]) =>
  db(em)
    .selectFrom(given('issues', issues))
    .innerJoin('agents as a', (join) => join.on('a.id', '=', agentId))
    .select(['given.id', 'a.workspaceId', 'a.id as agentId', 'given.key', 'given.source', 'given.code'])
    .select(['given.countOnly', 'given.placeKind', 'given.placeId', 'given.placeLabel', 'given.klass', 'given.lane'])
    .select(['given.severity', 'given.code as title'])
    .select(['given.placeKind as targetKind', 'given.placeId as targetId', 'given.placeLabel as targetLabel']);

/** The columns of `newIssues`, in order. */
export const NEW_ISSUE_COLUMNS = [
  'id',
  'workspaceId',
  'agentId',
  'key',
  'source',
  'code',
  'countOnly',
  'placeKind',
  'placeId',
  'placeLabel',
  'klass',
  'lane',
  'severity',
  'title',
  'targetKind',
  'targetId',
  'targetLabel',
] as const;

export async function insertIssues(em: EntityManager, agentId: string, issues: readonly NewIssue[]): Promise<void> {
  if (issues.length === 0) return;
  await db(em)
    .insertInto('issues')
    .columns(NEW_ISSUE_COLUMNS)
    .expression(newIssues(em, agentId, issues))
    .execute();
}
