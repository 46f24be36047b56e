import { defineEntity, p } from '@mikro-orm/core';
import { count, createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced } from '../row-security.ts';

/** An intent discovered for an agent; its slug never changes, its label may. */
export const Intent = defineEntity({
  name: 'Intent',
  tableName: 'intents',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    kind: p.enum(['intent', 'use_case', 'sub_use_case', 'persona'] as const),
    slug: p.text(),
    label: p.text(),
    /** The terms by which new requests are recognised, with their weights. */
    terms: p.json<Record<string, number>>().defaultRaw(`'{}'`),
    /** Of an intent its use case, of a sub use case its intent. */
    parentSlug: p.text().nullable(),
    /** Its slug stands for this one; calls that still have it are on their way. */
    mergedIntoId: p.uuid().nullable(),
    /** A person named it or merged into it: no discovery takes calls out of it. */
    keptAt: time().nullable(),
    calls: count(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'intents_natural_key', properties: ['agentId', 'kind', 'slug'] }],
});

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
