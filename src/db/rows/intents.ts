import { defineEntity, p } from '@mikro-orm/core';
import { count, createdAt, id, time } from './columns.ts';
import { fenced } from './fence.ts';

/** What became of an intent, use case or persona: renamed or merged by a person, or dissolved by a discovery. Never changed. */
export const IntentChange = defineEntity({
  name: 'IntentChange',
  tableName: 'intent_changes',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    intentId: p.uuid(),
    kind: p.enum(['renamed', 'merged', 'dissolved'] as const),
    /** The label before, or the slug that stands for another one now. */
    fromText: p.text(),
    /** The label after, or the slug of the intent that it was merged into. */
    toText: p.text(),
    /** Null: the analysis did it. */
    personId: p.uuid().nullable(),
    createdAt: createdAt(),
  },
  indexes: [{ name: 'intent_changes_intent', properties: ['intentId', 'createdAt', 'id'] }],
});

/** The last discovery of an agent's intents: over how many calls, when, and what is to be said about it. */
export const IntentDiscovery = defineEntity({
  name: 'IntentDiscovery',
  tableName: 'intent_discoveries',
  primaryKeys: ['agentId'],
  ...fenced,
  properties: {
    agentId: p.uuid().primary(),
    workspaceId: p.uuid(),
    calls: count(),
    /** Calls that fitted no intent after it. */
    unplaced: count(),
    /** Null: words alone decided. */
    embeddingModel: p.text().nullable(),
    note: p.text().nullable(),
    discoveredAt: time().defaultRaw('now()'),
  },
});
