import { type DraftTexts, partsOf, withTexts } from '../../domain/drafts/parts.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import type { PublicationKind, PublicationState } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, json, now } from '../expressions.ts';
import type { Row } from '../tables.ts';

export interface PublicationKey {
  draftId: string;
  revision: number;
  kind: PublicationKind;
}

/** States of a publication that has not come to its end. */
export const OPEN_PUBLICATION_STATES = ['begun', 'writing', 'undoing'] as const satisfies PublicationState[];

/** What is to be written over what, and how far it is. */
export interface Publication
  extends Pick<
    Row<'draft_publications'>,
    'workspaceId' | 'agentId' | 'state' | 'handle' | 'undoHandle' | 'baseVersion' | 'requestedBy'
  > {
  title: string;
  issueId: string | null;
  /** What the agent says before and after it, whole and by the parts that differ. */
  before: AgentConfiguration;
  target: AgentConfiguration;
  textsBefore: DraftTexts;
  texts: DraftTexts;
}

export async function insertPublication(
  em: EntityManager,
  made: PublicationKey & Pick<Row<'draft_publications'>, 'workspaceId' | 'agentId' | 'baseVersion' | 'requestedBy'>,
): Promise<void> {
  const { draftId, revision, kind, workspaceId, agentId, baseVersion, requestedBy } = made;
  const values = { draftId, revision, kind, workspaceId, agentId, baseVersion, requestedBy };
  await db(em).insertInto('draft_publications').values(values).execute();
  await db(em)
    .updateTable('drafts')
    .where('id', '=', draftId)
    .set({ status: 'publishing', publishFailure: null, updatedAt: now })
    .execute();
}

export async function isAgentPublishing(em: EntityManager, agentId: string): Promise<boolean> {
  const open = db(em)
    .selectFrom('draft_publications')
    .where('agentId', '=', agentId)
    .where('state', 'in', OPEN_PUBLICATION_STATES)
    .select('draftId');
  return (await open.executeTakeFirst()) !== undefined;
}

export interface PublicationUnderWay extends PublicationKey, Pick<Row<'agents'>, 'workspaceId' | 'name' | 'provider'> {
  agentId: string;
}

/** Those that are open, but for those that moved within the last minute. */
export function publicationsUnderWay(em: EntityManager, workspaceId: string): Promise<PublicationUnderWay[]> {
  return db(em)
    .selectFrom('draft_publications as p')
    .innerJoin('agents as a', 'a.id', 'p.agentId')
    .where('p.workspaceId', '=', workspaceId)
    .where('p.state', 'in', OPEN_PUBLICATION_STATES)
    .where('p.updatedAt', '<', ago(1, 'minutes'))
    .select(['p.draftId', 'p.revision', 'p.kind', 'p.workspaceId', 'p.agentId', 'a.name', 'a.provider'])
    .execute();
}

/** Null where the draft is gone. */
export async function loadPublication(em: EntityManager, key: PublicationKey): Promise<Publication | null> {
  const row = await db(em)
    .selectFrom('draft_publications as p')
    .innerJoin('drafts as d', 'd.id', 'p.draftId')
    .innerJoin('draft_revisions as r', (join) =>
      join.onRef('r.draftId', '=', 'p.draftId').onRef('r.revision', '=', 'p.revision'),
    )
    .where('p.draftId', '=', key.draftId)
    .where('p.revision', '=', key.revision)
    .where('p.kind', '=', key.kind)
    .select(['p.workspaceId', 'p.agentId', 'p.state', 'p.handle', 'p.undoHandle', 'p.baseVersion', 'p.requestedBy'])
    .select(['d.title', 'd.issueId', 'r.base', 'r.texts'])
    .executeTakeFirst();
  if (!row) return null;
  const { base, texts, ...rest } = row;
  const changed = withTexts(base, texts);
  const original = Object.fromEntries(
    partsOf(base).flatMap(({ path, text }) => (texts[path] === undefined ? [] : [[path, text]])),
  );
  return key.kind === 'publish'
    ? { ...rest, before: base, target: changed, textsBefore: original, texts }
    : { ...rest, before: changed, target: base, textsBefore: texts, texts: original };
}

const theOne = (em: EntityManager, { draftId, revision, kind }: PublicationKey) =>
  db(em)
    .updateTable('draft_publications')
    .where('draftId', '=', draftId)
    .where('revision', '=', revision)
    .where('kind', '=', kind);

/** Moves it on where it stands where the caller believes. @returns whether it did. */
export async function movePublication(
  em: EntityManager,
  key: PublicationKey,
  from: readonly PublicationState[],
  to: PublicationState,
  reason: string | null = null,
): Promise<boolean> {
  const moved = await theOne(em, key)
    .where('state', 'in', [...from])
    .set({ state: to, reason, updatedAt: now })
    .returning('draftId')
    .executeTakeFirst();
  return moved !== undefined;
}

export async function noteHandle(
  em: EntityManager,
  key: PublicationKey,
  which: 'handle' | 'undoHandle',
  handle: JsonObject,
): Promise<void> {
  await theOne(em, key)
    .set({ [which]: json(handle), updatedAt: now })
    .execute();
}

/** The draft is live, as this version. */
export async function setPublished(
  em: EntityManager,
  draftId: string,
  { version, hash, by }: { version: number; hash: string | null; by: string },
): Promise<void> {
  await db(em)
    .updateTable('drafts')
    .where('id', '=', draftId)
    .set({
      status: 'published',
      publishedVersion: version,
      publishedHash: hash,
      publishedAt: now,
      publishedBy: by,
      publishFailure: null,
      updatedAt: now,
    })
    .execute();
}

/** Of a draft that came with the demo: the version that it became, and since when. */
export async function notePublished(
  em: EntityManager,
  draftId: string,
  { version, hash, at }: { version: number; hash: string; at: string },
): Promise<void> {
  const set = { status: 'published', publishedVersion: version, publishedHash: hash, publishedAt: at } as const;
  await db(em).updateTable('drafts').where('id', '=', draftId).set(set).execute();
}

/** The text from before is live again, as this version; the draft stays what was once published. */
/** @returns the version that was published and is taken back; null where none is known */
export async function setRolledBack(em: EntityManager, draftId: string, version: number): Promise<number | null> {
  const set = { rolledBackVersion: version, rolledBackAt: now, publishFailure: null, updatedAt: now };
  const { publishedVersion } = await db(em)
    .updateTable('drafts')
    .where('id', '=', draftId)
    .set({ status: 'published', ...set })
    .returning('publishedVersion')
    .executeTakeFirstOrThrow();
  return publishedVersion;
}

/** It came to nothing: the draft stands where it stood before, with the reason. */
export async function setNotPublished(
  em: EntityManager,
  { draftId, kind }: PublicationKey,
  reason: string,
): Promise<void> {
  const status = kind === 'publish' ? 'draft' : 'published';
  await db(em)
    .updateTable('drafts')
    .where('id', '=', draftId)
    .where('status', '=', 'publishing')
    .set({ status, publishFailure: reason, updatedAt: now })
    .execute();
}

/** The version that is live by our record, with its hash. */
export async function liveVersionOf(
  em: EntityManager,
  agentId: string,
): Promise<{ version: number; hash: string | null } | null> {
  const live = await db(em)
    .selectFrom('agents as a')
    .innerJoin('agent_versions as v', (join) =>
      join.onRef('v.agentId', '=', 'a.id').onRef('v.version', '=', 'a.currentVersion'),
    )
    .where('a.id', '=', agentId)
    .select(['v.version', 'v.configHash as hash'])
    .executeTakeFirst();
  return live ?? null;
}
