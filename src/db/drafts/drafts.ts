import { expressionBuilder, sql } from 'kysely';
import { jsonBuildObject } from 'kysely/helpers/postgres';
import type { DraftChange } from '../../domain/drafts/apply-changes.ts';
import type { DraftTexts } from '../../domain/drafts/parts.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import type { DraftStatus } from '../../domain/vocabulary.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { json, now } from '../expressions.ts';
import { type ListPage, newestFirst } from '../pages.ts';
import { anyAgent, type ReadScope } from '../read-scope.ts';
import type { Row, Tables } from '../tables.ts';

/** A draft as a list shows it: without its texts, which may be of megabytes. */
export type DraftRow = Omit<Row<'drafts'>, 'status'> &
  Pick<Row<'draft_revisions'>, 'baseVersion' | 'baseHash' | 'draftHash'> & {
    status: DraftStatus;
    baseKind: AgentConfiguration['kind'] | null;
    /** Parts whose text is another one than the base's, by path. */
    changedPaths: string[];
    /** Hash of the live version's configuration; null where it was not captured. */
    liveHash: string | null;
    issue: { id: string; key: string; title: string } | null;
    comparison: { id: string; fromVersion: number; toVersion: number } | null;
  };

/** A draft with the text in force, and what the live version is by now. */
export type DraftView = DraftRow & Pick<Row<'draft_revisions'>, 'base' | 'texts' | 'changes'>;

const ofDraft = expressionBuilder<Tables & { d: Tables['drafts']; r: Tables['draft_revisions'] }, 'd' | 'r'>();
const issueOf = ofDraft
  .selectFrom('issues as i')
  .whereRef('i.id', '=', 'd.issueId')
  .whereRef('i.agentId', '=', 'd.agentId')
  .select(({ ref }) => jsonBuildObject({ id: ref('i.id'), key: ref('i.key'), title: ref('i.title') }).as('issue'))
  .$asScalar();
const comparisonOf = ofDraft
  .selectFrom('comparisons as c')
  .whereRef('c.id', '=', 'd.comparisonId')
  .whereRef('c.agentId', '=', 'd.agentId')
  .select(({ ref }) =>
    jsonBuildObject({
      id: ref('c.id'),
      fromVersion: ref('c.fromVersion'),
      toVersion: ref('c.toVersion'),
    }).as('comparison'),
  )
  .$asScalar();
const isTested = ofDraft.exists(
  ofDraft
    .selectFrom('runs as run')
    .innerJoin('draft_revisions as played', (join) =>
      join.onRef('played.draftId', '=', 'run.draftId').onRef('played.revision', '=', 'run.draftRevision'),
    )
    .whereRef('run.draftId', '=', 'd.id')
    .whereRef('played.draftHash', '=', 'r.draftHash')
    .where('run.status', 'in', ['queued', 'awaiting_approval', 'running'])
    .select('run.id'),
);
const status = ofDraft
  .case()
  .when(ofDraft.and([ofDraft('d.status', '=', 'draft'), isTested]))
  .then(sql.lit<DraftStatus>('testing'))
  .else(ofDraft.ref('d.status'))
  .end();
const liveHash = ofDraft
  .selectFrom('agents as a')
  .innerJoin('agent_versions as v', (join) =>
    join.onRef('v.agentId', '=', 'a.id').onRef('v.version', '=', 'a.currentVersion'),
  )
  .whereRef('a.id', '=', 'd.agentId')
  .where('v.configCaptured', '=', true)
  .select('v.configHash')
  .$asScalar();

const baseKind = sql<AgentConfiguration['kind'] | null>`r.base ->> 'kind'`;
const changedPaths = sql<string[]>`array(select jsonb_object_keys(r.texts))`;

const rows = (em: EntityManager, scope: ReadScope) =>
  db(em)
    .selectFrom('drafts as d')
    .innerJoin('draft_revisions as r', (join) =>
      join.onRef('r.draftId', '=', 'd.id').onRef('r.revision', '=', 'd.revision'),
    )
    .where('d.agentId', '=', anyAgent(scope))
    .selectAll('d')
    .select(['r.baseVersion', 'r.baseHash', 'r.draftHash'])
    .select([baseKind.as('baseKind'), changedPaths.as('changedPaths')])
    .select([status.as('status'), liveHash.as('liveHash'), issueOf.as('issue'), comparisonOf.as('comparison')]);

export async function findDraft(em: EntityManager, scope: ReadScope, draftId: string): Promise<DraftView | null> {
  const draft = rows(em, scope).where('d.id', '=', draftId).select(['r.base', 'r.texts', 'r.changes']);
  return (await draft.executeTakeFirst()) ?? null;
}

/** Newest first; the order never changes. */
export function listDrafts(
  em: EntityManager,
  scope: ReadScope,
  filter: { status: DraftStatus | null },
  page: ListPage,
): Promise<DraftRow[]> {
  let drafts = rows(em, scope);
  if (filter.status) drafts = drafts.where(status, '=', filter.status);
  return newestFirst(drafts, ['d.createdAt', 'd.id'], page).execute();
}

export interface NewDraft extends DraftText {
  workspaceId: string;
  agentId: string;
  title: string;
  rationale: string;
  newCaseIds: readonly string[];
  issueId: string | null;
  comparisonId: string | null;
  targetPath: string | null;
}

/** One text of a draft over its base. */
export interface DraftText {
  baseVersion: number;
  baseHash: string;
  base: AgentConfiguration;
  texts: DraftTexts;
  changes: readonly DraftChange[];
  draftHash: string;
  /** A person's id, or `earshot`. */
  createdBy: string;
}

/** Revision 1. @returns its id. */
export async function insertDraft(em: EntityManager, made: NewDraft): Promise<string> {
  const id = newId();
  const { workspaceId, agentId, title, rationale, issueId, comparisonId, targetPath, createdBy } = made;
  const newCaseIds = [...made.newCaseIds];
  const began = { issueId, comparisonId, targetPath, createdBy };
  await db(em)
    .insertInto('drafts')
    .values({ id, workspaceId, agentId, title, rationale, newCaseIds, status: 'draft', revision: 1, ...began })
    .execute();
  await insertRevision(em, { workspaceId, agentId, draftId: id, revision: 1 }, made);
  return id;
}

interface RevisionKey {
  workspaceId: string;
  agentId: string;
  draftId: string;
  revision: number;
}

async function insertRevision(em: EntityManager, key: RevisionKey, text: DraftText): Promise<void> {
  const { baseVersion, baseHash, draftHash, createdBy } = text;
  const documents = { base: json(text.base), texts: json(text.texts), changes: json([...text.changes]) };
  await db(em)
    .insertInto('draft_revisions')
    .values({ ...key, baseVersion, baseHash, draftHash, createdBy, ...documents })
    .execute();
}

/** Locked until the transaction ends: of two people who change it, one waits. */
export async function lockDraft(em: EntityManager, draftId: string): Promise<void> {
  await db(em).selectFrom('drafts').where('id', '=', draftId).select('id').forUpdate().execute();
}

/** The next text; every test of the one before says nothing of it. */
export async function openDraftRevision(
  em: EntityManager,
  { workspaceId, agentId, id: draftId }: Pick<DraftView, 'workspaceId' | 'agentId' | 'id'>,
  text: DraftText,
): Promise<void> {
  const { revision } = await db(em)
    .updateTable('drafts')
    .where('id', '=', draftId)
    .set((eb) => ({ revision: eb('revision', '+', 1), publishFailure: null, updatedAt: now }))
    .returning('revision')
    .executeTakeFirstOrThrow();
  await insertRevision(em, { workspaceId, agentId, draftId, revision }, text);
}

export async function describeDraft(
  em: EntityManager,
  draftId: string,
  { title, rationale, newCaseIds }: Pick<DraftView, 'title' | 'rationale' | 'newCaseIds'>,
): Promise<void> {
  const set = { title, rationale, newCaseIds: [...newCaseIds], updatedAt: now };
  await db(em).updateTable('drafts').where('id', '=', draftId).set(set).execute();
}

export async function discardDraft(em: EntityManager, draftId: string): Promise<void> {
  await db(em).updateTable('drafts').where('id', '=', draftId).set({ status: 'discarded', updatedAt: now }).execute();
}
