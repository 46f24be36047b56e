import { defineEntity, p } from '@mikro-orm/core';
import { id, time } from './columns.ts';
import { fenced } from './fence.ts';

/** Whose a connection is, for events that come in before any workspace is known. Holds no secret. */
export const HookAddress = defineEntity({
  name: 'HookAddress',
  tableName: 'hook_addresses',
  properties: {
    connectionId: p.uuid().primary(),
    workspaceId: p.uuid(),
  },
});

/** A call that its platform told of: the next poll of its agent reads it, whatever the list of calls says. */
export const ToldCall = defineEntity({
  name: 'ToldCall',
  tableName: 'told_calls',
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
  uniques: [{ name: 'told_calls_natural_key', properties: ['agentId', 'providerCallId'] }],
});
