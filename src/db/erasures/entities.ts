import { defineEntity, p } from '@mikro-orm/core';
import { ERASURE_SCOPES, ERASURE_STATUSES } from '../../domain/vocabulary.ts';
import { count, createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced, fencedApart } from '../row-security.ts';

/** What somebody had erased, how far it is, and what was removed: counts only, never what it said. */
export const Erasure = defineEntity({
  name: 'Erasure',
  tableName: 'erasures',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    /** Null: a workspace with all its agents. */
    agentId: p.uuid().nullable(),
    scope: p.enum(ERASURE_SCOPES),
    /** Of the scope `calls`. */
    callIds: p.json<string[]>().defaultRaw(`'[]'`),
    /** Of the scope `caller`: the keyed hash of the number. */
    callerKey: p.text().nullable(),
    /** The number, sealed, to find what is kept sealed and has no key; gone when the erasure ends. */
    sealedNumber: p.text().nullable(),
    reason: p.text(),
    status: p.enum(ERASURE_STATUSES).default('queued'),
    /** Calls to erase, as far as they were there when it was asked for. */
    total: count(),
    done: count(),
    /** Rows by table. */
    removed: p.json<Record<string, number>>().defaultRaw(`'{}'`),
    /** Why it failed, or what it could not look through, in words. */
    message: p.text().nullable(),
    requestedBy: p.uuid(),
    createdAt: createdAt(),
    startedAt: time().nullable(),
    finishedAt: time().nullable(),
    updatedAt: updatedAt(),
  },
  indexes: [
    { name: 'erasures_agent', properties: ['agentId', 'createdAt', 'id'] },
    { name: 'erasures_workspace', properties: ['workspaceId', 'createdAt', 'id'] },
    {
      name: 'erasures_open',
      expression: `create index "erasures_open" on "erasures" ("workspace_id") where "status" in ('queued', 'running')`,
    },
  ],
});

/** A call that must not come back, by the keyed hash of the platform's id of it: all that is left of it. */
export const ErasedCall = defineEntity({
  name: 'ErasedCall',
  tableName: 'erased_calls',
  ...fencedApart,
  primaryKeys: ['agentId', 'refHash'],
  properties: {
    agentId: p.uuid().primary(),
    refHash: p.text().primary(),
    workspaceId: p.uuid(),
    erasedAt: time().defaultRaw('now()'),
  },
});

/** A caller whose calls from before must not come in, however late a platform or a file brings them. */
export const ErasedCaller = defineEntity({
  name: 'ErasedCaller',
  tableName: 'erased_callers',
  ...fencedApart,
  primaryKeys: ['agentId', 'callerKey'],
  properties: {
    agentId: p.uuid().primary(),
    callerKey: p.text().primary(),
    workspaceId: p.uuid(),
    /** Calls that begin later are new. */
    before: time().defaultRaw('now()'),
  },
});
