import type { InferEntity } from '@mikro-orm/core';
import { defineEntity, p } from '@mikro-orm/core';
import { IMPORT_KINDS, IMPORT_STATUSES } from '../../domain/vocabulary.ts';
import type { SliceStanding } from '../../temporal/import-calls.ts';
import { count, createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced } from '../row-security.ts';

/** A call that its platform told of: the next poll of its agent reads it, whatever the list of calls says. */
export const ToldCall = defineEntity({
  name: 'ToldCall',
  tableName: 'announced_calls',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    providerCallId: p.text(),
    /** Of the event that told of it: the same event again is no news. */
    digest: p.text(),
    toldAt: time().defaultRaw('now()'),
  },
  uniques: [{ name: 'announced_calls_natural_key', properties: ['agentId', 'providerCallId'] }],
});

/** One import of an agent's calls, and its progress as the web app and `/app` read it. */
export const Import = defineEntity({
  name: 'Import',
  tableName: 'imports',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    kind: p.enum(IMPORT_KINDS),
    status: p.enum(IMPORT_STATUSES).default('queued'),
    /** Raised by every retry; part of the workflow's id. */
    attempt: p.integer().default(1),
    callLimit: p.integer().nullable(),
    windowFrom: time().nullable(),
    windowTo: time().nullable(),
    /** Where listing goes on after a page: opaque, the platform's own. */
    cursor: p.text().nullable(),
    /** The platform has no further page, or the limit is reached: a retry takes up only what failed. */
    listingEnded: p.boolean().default(false),
    /** The part of the listing that is read now, by time; null where it is one. */
    slice: p.json<SliceStanding>().nullable(),
    pages: count(),
    listed: count(),
    stored: count(),
    unchanged: count(),
    stillFailed: count(),
    analysed: count(),
    waiting: count(),
    failed: count(),
    /** Calls that still go on: left for the next poll. */
    ongoing: count(),
    /** Calls that were deleted at the platform between listing and reading. */
    gone: count(),
    /** Start of the oldest call that still goes on; the agent's bookmark stays before it. */
    oldestOngoingAt: time().nullable(),
    /** What the import waits for, in words, or null. */
    waitsFor: p.text().nullable(),
    /** Since when it has waited for the platform without getting any further; null while it gets on. */
    stuckSince: time().nullable(),
    /** Why it failed, in words, or null. */
    reason: p.text().nullable(),
    /** It failed because the platform refused it, or gave no answer for too long. */
    refused: p.boolean().default(false),
    createdAt: createdAt(),
    startedAt: time().nullable(),
    finishedAt: time().nullable(),
    updatedAt: updatedAt(),
  },
  indexes: [
    { name: 'imports_agent', properties: ['agentId', 'createdAt', 'id'] },
    {
      name: 'imports_open',
      expression: `create index "imports_open" on "imports" ("workspace_id") where "status" in ('queued', 'running', 'paused')`,
    },
  ],
});

export type ImportRow = InferEntity<typeof Import>;

/** A record that could not become a call: kept with its reason, so that it can be shown and tried again, and never blocks its page. */
export const ImportFailure = defineEntity({
  name: 'ImportFailure',
  tableName: 'import_failures',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    importId: p.uuid(),
    /** The platform's call id, or `line:<n>` for a file's line. */
    ref: p.text(),
    reason: p.text(),
    /** The record as it came, sealed, where there was one. */
    sealedPayload: p.text().nullable(),
    /** A person parked it: it is not asked for again until somebody retries what failed. */
    isSkipped: p.boolean().default(false),
    resolvedAt: time().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'import_failures_natural_key', properties: ['agentId', 'ref'] }],
  indexes: [{ name: 'import_failures_import', properties: ['importId', 'id'] }],
});

/** Uploaded records wait here until the import has read them, in order, one row per line. */
export const UploadedRecord = defineEntity({
  name: 'UploadedRecord',
  tableName: 'uploaded_records',
  ...fenced,
  primaryKeys: ['importId', 'line'],
  properties: {
    importId: p.uuid().primary(),
    line: p.integer().primary(),
    workspaceId: p.uuid().defaultRaw('workspace_in_scope()'),
    sealedPayload: p.text(),
  },
});
