import { defineEntity, p } from '@mikro-orm/core';
import type { DraftChange } from '../../domain/drafts/apply-changes.ts';
import type { DraftTexts } from '../../domain/drafts/parts.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import { PUBLICATION_KINDS, PUBLICATION_STATES } from '../../domain/vocabulary.ts';
import { createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced } from '../row-security.ts';

/** A change of an agent's text that is not published yet. Its texts stand in `draft_revisions`, so that a run keeps the one it began with. */
export const Draft = defineEntity({
  name: 'Draft',
  tableName: 'drafts',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    title: p.string().length(200),
    rationale: p.text(),
    /** Whether it is being tested is in its runs. */
    status: p.enum(['draft', 'publishing', 'published', 'discarded'] as const).default('draft'),
    revision: p.integer().default(1),
    newCaseIds: p.array().columnType('uuid[]'),
    /** What it began with, and the part that is to be changed there. */
    issueId: p.uuid().nullable(),
    comparisonId: p.uuid().nullable(),
    targetPath: p.text().nullable(),
    /** The version that it became; null until it is published. */
    publishedVersion: p.integer().nullable(),
    publishedAt: time().nullable(),
    publishedBy: p.uuid().nullable(),
    /** Hash of that version as it was read back, by which it is told whether it is still live. */
    publishedHash: p.text().nullable(),
    /** The version with the text from before, where the publish was taken back. */
    rolledBackVersion: p.integer().nullable(),
    rolledBackAt: time().nullable(),
    /** Why the last publish of it came to nothing, in words. */
    publishFailure: p.text().nullable(),
    createdBy: p.text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [{ name: 'drafts_agent', properties: ['agentId', 'createdAt', 'id'] }],
});

/** One text of a draft. It never changes: what was tested is what is published. */
export const DraftRevision = defineEntity({
  name: 'DraftRevision',
  tableName: 'draft_revisions',
  ...fenced,
  primaryKeys: ['draftId', 'revision'],
  properties: {
    draftId: p.uuid().primary(),
    revision: p.integer().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    /** The captured version that its texts are laid over, as it was then. */
    baseVersion: p.integer(),
    baseHash: p.text(),
    base: p.json<AgentConfiguration>(),
    /** Texts that differ from the base's, by path. */
    texts: p.json<DraftTexts>(),
    /** As they were laid one over the other from the beginning. */
    changes: p.json<DraftChange[]>(),
    draftHash: p.text(),
    createdBy: p.text(),
    createdAt: createdAt(),
  },
});

/** The text of a draft on its way to the platform, or back: what whoever takes it up again has to know. */
export const DraftPublication = defineEntity({
  name: 'DraftPublication',
  tableName: 'draft_publications',
  ...fenced,
  primaryKeys: ['draftId', 'revision', 'kind'],
  properties: {
    draftId: p.uuid().primary(),
    revision: p.integer().primary(),
    kind: p.enum(PUBLICATION_KINDS).primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    state: p.enum(PUBLICATION_STATES).default('begun'),
    /** What the platform's adapter noted before it wrote, and before it wrote back. */
    handle: p.json<JsonObject>().nullable(),
    undoHandle: p.json<JsonObject>().nullable(),
    /** The live version that it is written over. */
    baseVersion: p.integer(),
    /** How it came to nothing, in words. */
    reason: p.text().nullable(),
    requestedBy: p.uuid(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
});
