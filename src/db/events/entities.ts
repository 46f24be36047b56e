import { defineEntity, p } from '@mikro-orm/core';
import { WORKSPACE_EVENT_KINDS } from '../../domain/vocabulary.ts';
import { createdAt } from '../columns.ts';
import { fencedApart } from '../row-security.ts';

/** What changed in a workspace, for those who watch it: kept for a day, written in the transaction of the change. */
export const WorkspaceEvent = defineEntity({
  name: 'WorkspaceEvent',
  tableName: 'workspace_events',
  ...fencedApart,
  primaryKeys: ['workspaceId', 'id'],
  properties: {
    workspaceId: p.uuid().primary(),
    /** Counts up without gaps within a workspace, in the order of the commits. */
    id: p.bigint('number').primary(),
    agentId: p.uuid().nullable(),
    kind: p.enum(WORKSPACE_EVENT_KINDS),
    /** Id of what changed; null where the kind and the agent say it. */
    ref: p.uuid().nullable(),
    createdAt: createdAt(),
  },
});
