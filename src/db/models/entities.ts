import { defineEntity, p } from '@mikro-orm/core';
import type { TokenPrice } from '../../domain/limits/model-cost.ts';
import type { StoredReading } from '../../domain/reading/stored-reading.ts';
import {
  MODEL_BATCH_STATES,
  MODEL_PROTOCOLS,
  MODEL_READING_STATES,
  MODEL_WORDING_KINDS,
  READER_TROUBLES,
} from '../../domain/vocabulary.ts';
import { count, createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced, fencedApart } from '../row-security.ts';

/** One question to a model and what it cost: written before it is asked, settled after. The key makes a question one charge. */
export const ModelUsage = defineEntity({
  name: 'ModelUsage',
  tableName: 'model_usage',
  ...fencedApart,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid().nullable(),
    /** What the question was for, such as `call_reading`. */
    purpose: p.text(),
    /** What was judged: the call with the record and the model that it was read by. */
    subject: p.text(),
    /** First, second or third time that it was asked. */
    ask: p.integer(),
    model: p.text(),
    /** False: the model has no price in the settings, so it counts 0. */
    priced: p.boolean(),
    /** All of the input, also what a cache held or took. */
    inputTokens: count(),
    cachedInputTokens: count(),
    cacheWriteTokens: count(),
    outputTokens: count(),
    /** Held back while the question is out; what it cost once that is known; what was held back where nobody knows. */
    chargedNanoUsd: p.bigint('number'),
    /** The same where the workspace asked a model of its own, which is no part of what the operator allows it; else null. */
    ownNanoUsd: p.bigint('number').nullable(),
    settledAt: time().nullable(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'model_usage_natural_key', properties: ['workspaceId', 'purpose', 'subject', 'ask'] }],
  indexes: [
    {
      name: 'model_usage_window',
      expression:
        'create index "model_usage_window" on "model_usage" ("workspace_id", "created_at") include ("charged_nano_usd")',
    },
  ],
});

/** A model of the workspace's own, which reads its calls in place of the operator's. */
export const WorkspaceModel = defineEntity({
  name: 'WorkspaceModel',
  tableName: 'workspace_models',
  ...fencedApart,
  properties: {
    workspaceId: p.uuid().primary(),
    protocol: p.enum(MODEL_PROTOCOLS),
    url: p.text(),
    model: p.text(),
    /** Null: the address takes none. */
    sealedKey: p.text().nullable(),
    /** USD a million tokens; null: it counts 0. */
    price: p.json<TokenPrice>().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
});

/** What a model read on a call, beside the rules' reading. One row per call: another record, or another model, replaces it. */
export const ModelReadingRecord = defineEntity({
  name: 'ModelReadingRecord',
  tableName: 'model_readings',
  ...fenced,
  properties: {
    callId: p.uuid().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    /** Of the record that was, or is to be, read. */
    payloadDigest: p.text(),
    model: p.text(),
    state: p.enum(MODEL_READING_STATES).default('waiting'),
    /** Questions that were begun. */
    asks: count(),
    /** Of these: those on which the model was at fault, which leave the call its tries. */
    forgiven: count(),
    /** Why it was given up, in words. */
    note: p.text().nullable(),
    /** Given up over what the model answered: taken up again where that was the model's trouble and not the call's. */
    gaveNothing: p.boolean().default(false),
    /** A person had it read, whatever the share says. */
    ordered: p.boolean().default(false),
    /** Rules found something on the call, suspect something, or are not sure how it ended. */
    suspected: p.boolean().default(false),
    /** When the call began: newer ones are read first. */
    callAt: time().nullable(),
    reading: p.json<StoredReading>().nullable(),
    /** The batch that its first question is in; null: it is asked by itself. */
    batchId: p.uuid().nullable(),
    /** What all questions about the call cost, and took. */
    chargedNanoUsd: p.bigint('number').default(0),
    inputTokens: count(),
    cachedInputTokens: count(),
    outputTokens: count(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [
    {
      name: 'model_readings_open',
      expression: `create index "model_readings_open" on "model_readings" ("agent_id", "call_id") where "state" in ('waiting', 'read')`,
    },
    {
      name: 'model_readings_next',
      expression: `create index "model_readings_next" on "model_readings" ("agent_id", "suspected" desc, "call_at" desc, "call_id" desc) where "state" in ('waiting', 'read')`,
    },
    {
      name: 'model_readings_batch',
      expression: `create index "model_readings_batch" on "model_readings" ("batch_id", "call_id") where "batch_id" is not null`,
    },
  ],
});

/** How the reader of an agent stands with its model; no row: all is well. */
export const ModelReader = defineEntity({
  name: 'ModelReader',
  tableName: 'model_readers',
  ...fenced,
  properties: {
    agentId: p.uuid().primary(),
    workspaceId: p.uuid(),
    /** Calls in a row whose first question brought nothing. */
    troubles: count(),
    /** Since the first of them. */
    troubledSince: time().nullable(),
    /** Why it pauses; null: it does not. */
    trouble: p.enum(READER_TROUBLES).nullable(),
    /** The same in a sentence. */
    reason: p.text().nullable(),
    pausedAt: time().nullable(),
    /** When one call is tried again. */
    nextTryAt: time().nullable(),
    tries: count(),
    updatedAt: updatedAt(),
  },
});

/** What the reading of an agent's calls took and cost in a UTC month, whoever paid. */
/** Questions about many calls of an agent that a provider is handed at once, and answers within a day. */
export const ModelBatch = defineEntity({
  name: 'ModelBatch',
  tableName: 'model_batches',
  ...fencedApart,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    model: p.text(),
    state: p.enum(MODEL_BATCH_STATES).default('open'),
    /** Questions that are in it. */
    questions: count(),
    /** From here on the provider may have it, whatever became of the process that handed it over. */
    sendingAt: time().nullable(),
    /** What the provider calls it. */
    providerId: p.text().nullable(),
    /** Why it failed, in words. */
    note: p.text().nullable(),
    createdAt: createdAt(),
  },
  indexes: [{ name: 'model_batches_agent', properties: ['agentId', 'createdAt'] }],
});

export const ModelReadingMonth = defineEntity({
  name: 'ModelReadingMonth',
  tableName: 'model_reading_months',
  ...fenced,
  properties: {
    agentId: p.uuid().primary(),
    month: p.date().primary(),
    workspaceId: p.uuid(),
    questions: count(),
    inputTokens: p.bigint('number').default(0),
    cachedInputTokens: p.bigint('number').default(0),
    cacheWriteTokens: p.bigint('number').default(0),
    outputTokens: p.bigint('number').default(0),
    /** With what is held back for questions that are out. */
    chargedNanoUsd: p.bigint('number').default(0),
  },
});

/** Words of a model for something that the rules found and named: an intent's name, how an issue's recommendation is put. */
export const ModelWording = defineEntity({
  name: 'ModelWording',
  tableName: 'model_wordings',
  ...fenced,
  properties: {
    /** The intent or the issue. */
    subjectId: p.uuid().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    kind: p.enum(MODEL_WORDING_KINDS),
    /** md5 of the words of the rules that it stands for: when those change, it no longer holds. */
    digest: p.text(),
    asks: count(),
    /** Null while it was not given, and for good where it was given up. */
    text: p.text().nullable(),
    updatedAt: updatedAt(),
  },
});
