import { defineEntity, p } from '@mikro-orm/core';
import { CONNECTION_STATUSES, PLATFORMS } from '../../domain/vocabulary.ts';
import { count, createdAt, id, time } from '../columns.ts';
import { fenced } from '../row-security.ts';

/** How to reach a platform: its address and the person's key there, sealed with AES-256-GCM. */
export const PlatformConnection = defineEntity({
  name: 'PlatformConnection',
  tableName: 'platform_connections',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    platform: p.enum(PLATFORMS),
    baseUrl: p.text().nullable(),
    sealedKey: p.text().nullable(),
    /** What the platform signs its events with, or shows; sealed like the key. Null where no one set one. */
    sealedWebhookSecret: p.text().nullable(),
    status: p.enum(CONNECTION_STATUSES).default('checking'),
    /** What the last look at the platform said, or what it waits for, in words. */
    message: p.text().nullable(),
    /** Counts the looks: each is a workflow of its own. */
    checks: count(),
    /** The agents that the key showed at the last look. */
    agents: p.json<{ providerAgentId: string; name: string }[]>().defaultRaw(`'[]'`),
    checkedAt: time().nullable(),
    /** Until when the platform asked for no more requests with the key; null where it has asked for nothing of late. */
    limitedUntil: time().nullable(),
    /** The same for whatever is no backfill, which what a backfill was told holds up for some minutes at most. */
    liveLimitedUntil: time().nullable(),
    /** From when it may be asked again, where the operator bounds how often. */
    nextRequestAt: time().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'platform_connections_of_workspace', properties: ['workspaceId', 'id'] }],
  indexes: [{ name: 'platform_connections_workspace', properties: ['workspaceId'] }],
});
