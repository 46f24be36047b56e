import { defineEntity, p } from '@mikro-orm/core';
import { count, createdAt, time } from '../columns.ts';
import { fencedApart, fencedOrNobodys } from '../row-security.ts';

/** The first answer to a request with an Idempotency-Key; while `status` is null, the request is still at work. */
export const IdempotencyRecord = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_records',
  ...fencedOrNobodys,
  primaryKeys: ['caller', 'operation', 'key'],
  properties: {
    /** `key:<id>`, `person:<id>@<workspace>`, or `nobody:<address>` for signing in. */
    caller: p.text().primary(),
    operation: p.text().primary(),
    key: p.string().length(255).primary(),
    /** Of the caller; null for nobody, who signs in. */
    workspaceId: p.uuid().nullable().defaultRaw('workspace_in_scope()'),
    /** Keyed digest of path, query and body: the same key with anything else is a conflict. */
    argsDigest: p.text(),
    /** Who is at work on it: one that was taken over can no longer store its answer. */
    token: p.uuid(),
    status: p.integer().nullable(),
    /** The answer as JSON text; null where it held a secret. */
    answer: p.text().nullable(),
    /** Id of the resource that the answer was about, where it could not be kept. */
    resourceId: p.text().nullable(),
    claimedAt: time().defaultRaw('now()'),
    createdAt: createdAt(),
  },
});

/** What a workspace used of its plan in one period; counted beside what it counts, in the same transaction. */
export const PlanUsage = defineEntity({
  name: 'PlanUsage',
  tableName: 'plan_usage',
  ...fencedApart,
  primaryKeys: ['workspaceId', 'startsAt'],
  properties: {
    workspaceId: p.uuid().primary(),
    /** Start of a billing period or of a calendar month: a call is counted in both, as the plan may change within them. */
    startsAt: time().primary(),
    /** One for each 10 minutes started of every call that got its first reading. */
    analysedCalls: count(),
    /** One for each test and caller of a run, one for each test of a calibration. */
    testCalls: count(),
    /** One for each question to the copilot, and each to the brief's chat. */
    copilotMessages: count(),
  },
});

/** What a workspace kept of its calls when its changes were last added up. */
export const WorkspaceStorage = defineEntity({
  name: 'WorkspaceStorage',
  tableName: 'workspace_storage',
  ...fencedApart,
  properties: {
    workspaceId: p.uuid().primary(),
    bytes: p.bigint('number'),
    /** From when on every change is in `bytes` or among the changes. */
    countedAt: time().nullable(),
  },
});

/** By how much one statement changed it: written by triggers, without waiting for anybody. */
export const StorageChange = defineEntity({
  name: 'StorageChange',
  tableName: 'storage_changes',
  ...fencedApart,
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    workspaceId: p.uuid(),
    bytes: p.bigint('number'),
  },
  indexes: [{ name: 'storage_changes_workspace', properties: ['workspaceId'] }],
});
