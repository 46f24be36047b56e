import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { IMPORT_KINDS, IMPORT_STATUSES } from '../../domain/vocabulary.ts';
import { count, createdAt, id, time, updatedAt } from './columns.ts';
import { fenced } from './fence.ts';

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
    pages: count(),
    listed: count(),
    stored: count(),
    unchanged: count(),
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
    createdAt: createdAt(),
    startedAt: time().nullable(),
    finishedAt: time().nullable(),
    updatedAt: updatedAt(),
  },
  indexes: [{ name: 'imports_agent', properties: ['agentId', 'createdAt', 'id'] }],
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

/** Uploaded records wait here until the import has read them, in order, one row a line. */
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

/** An order to start or message a workflow, written in the transaction of the row that it serves. */
export const StartOrder = defineEntity({
  name: 'StartOrder',
  tableName: 'start_orders',
  properties: {
    id: id(),
    /** Name of the workflow in `src/durable`. */
    workflow: p.text(),
    workflowId: p.text(),
    /** `start`, or the name of a message to an open (or missing, then started) workflow. */
    action: p.text().default('start'),
    startArgs: p.json<unknown[]>().defaultRaw(`'[]'`),
    signalArgs: p.json<unknown[]>().defaultRaw(`'[]'`),
    workspaceId: p.uuid(),
    agentId: p.uuid().nullable(),
    createdAt: createdAt(),
    /** A sender holds the order until then; after that another may take it. */
    leasedUntil: time().nullable(),
    tries: count(),
    lastError: p.text().nullable(),
    sentAt: time().nullable(),
  },
  indexes: [
    {
      name: 'start_orders_open',
      expression: 'create index "start_orders_open" on "start_orders" ("created_at") where "sent_at" is null',
    },
  ],
});

/** A process that polls or answers, seen lately: what `/readyz` and `doctor` read. */
export const ProcessSeen = defineEntity({
  name: 'ProcessSeen',
  tableName: 'processes_seen',
  properties: {
    id: id(),
    kind: p.enum(['api', 'worker'] as const),
    pid: p.integer(),
    host: p.text(),
    startedAt: createdAt(),
    seenAt: time().defaultRaw('now()'),
  },
});
