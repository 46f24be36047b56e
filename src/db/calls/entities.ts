import { defineEntity, p } from '@mikro-orm/core';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import type { CallAnalysis } from '../../domain/signals/call-analysis.ts';
import type { Proof } from '../../domain/signals/signal.ts';
import {
  CALL_STATES,
  CALLER_KINDS,
  DIRECTIONS,
  ISSUE_CLASSES,
  LANES,
  OUTCOMES,
  PLACE_KINDS,
  SEVERITIES,
  SIGNAL_BASES,
} from '../../domain/vocabulary.ts';
import { count, createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced, fencedByAgent } from '../row-security.ts';

/** Sorts calls without a start time last, as a value: `NULLS LAST` walks the whole table on a deep page. */
export const NO_START_TIME = '0001-01-01 00:00:00+00';

export const Call = defineEntity({
  name: 'Call',
  tableName: 'calls',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    importId: p.uuid().nullable(),
    providerCallId: p.text(),
    /** Digest of the payload: an import that meets the same content again changes nothing. */
    payloadDigest: p.text(),
    state: p.enum(CALL_STATES).default('waiting'),
    /** Why it failed or what it waits for, in words, or null. */
    stateReason: p.text().nullable(),
    analysisTries: count(),
    version: p.integer(),
    startedAt: time().nullable(),
    endedAt: time().nullable(),
    sortAt: time()
      // Written as PostgreSQL itself prints it, so that the entities and a migrated database compare as equal.
      .generated(`(COALESCE(started_at, '${NO_START_TIME}'::timestamp with time zone)) stored`),
    durationMs: p.integer(),
    direction: p.enum(DIRECTIONS),
    disconnectionReason: p.text(),
    costUsd: p.double().nullable(),
    /** Keyed hash of the caller's number; null where it is not known. */
    callerKey: p.text().nullable(),
    callerKind: p.enum(CALLER_KINDS).default('unknown'),
    callerNth: p.integer().default(1),
    callerOf: p.integer().default(1),
    /** Another call of the same caller started within seven days after it. */
    calledAgain: p.boolean().default(false),
    outcome: p.enum(OUTCOMES).nullable(),
    outcomeConfidence: p.double().nullable(),
    badEndingScore: p.double().nullable(),
    endedBadly: p.boolean().default(false),
    callerSpoke: p.boolean().default(false),
    objective: p.text().nullable(),
    intentSlug: p.text().nullable(),
    /** For each request of the caller its own intent. */
    requestIntents: p.array().defaultRaw(`'{}'`),
    useCaseSlug: p.text().nullable(),
    subUseCaseSlug: p.text().nullable(),
    personaSlug: p.text().nullable(),
    turns: count(),
    callerTurns: count(),
    agentTurns: count(),
    toolFailures: count(),
    /** Tool results of the call; null on calls that were read before it was kept. */
    toolResults: p.integer().nullable(),
    frictions: count(),
    /** How long the caller waited for answers: the call's own median and slowest tenth; null where nobody knows. */
    responseMedianMs: p.integer().nullable(),
    responseSlowMs: p.integer().nullable(),
    signalCodes: p.array().defaultRaw(`'{}'`),
    /** Which codes could not be computed on it, and which places it reached: interned, so that rollups can be rebuilt without opening an analysis. */
    profileId: p.uuid().nullable(),
    visitSetId: p.uuid().nullable(),
    /** An analysed call that waits to be read again: its record changed, or the analyser did. Until then the old reading stands. */
    reanalyse: p.boolean().default(false),
    /** By kind, how often personal data was left out when its newest record was stored; null where nothing was. */
    redacted: p.json<Record<string, number>>().nullable(),
    /** Marks of the names that a reader found and that were left out, by which they are known again; null: none has read it for them. */
    redactedNames: p.json<string[]>().nullable(),
    /** What was said is kept no longer, here or in anything that quotes it; a later record of the call is not taken. */
    wordsGone: p.boolean().default(false),
    analyserVersion: p.integer().nullable(),
    analysedAt: time().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [{ name: 'calls_natural_key', properties: ['agentId', 'providerCallId'] }],
  indexes: [
    {
      name: 'calls_list',
      expression: `create index "calls_list" on "calls" ("agent_id", "sort_at" desc, "id" desc) where "state" = 'analysed'`,
    },
    {
      name: 'calls_list_outcome',
      expression: `create index "calls_list_outcome" on "calls" ("agent_id", "outcome", "sort_at" desc, "id" desc) where "state" = 'analysed'`,
    },
    {
      name: 'calls_list_version',
      expression: `create index "calls_list_version" on "calls" ("agent_id", "version", "sort_at" desc, "id" desc) where "state" = 'analysed'`,
    },
    {
      name: 'calls_list_intent',
      expression: `create index "calls_list_intent" on "calls" ("agent_id", "intent_slug", "sort_at" desc, "id" desc) where "state" = 'analysed'`,
    },
    {
      name: 'calls_not_analysed',
      expression: `create index "calls_not_analysed" on "calls" ("agent_id", "state", "sort_at", "id") where "state" <> 'analysed' or "reanalyse"`,
    },
    {
      name: 'calls_read_by',
      expression: `create index "calls_read_by" on "calls" ("agent_id", "analyser_version") where "state" = 'analysed'`,
    },
    {
      name: 'calls_cost',
      expression: `create index "calls_cost" on "calls" ("agent_id", "cost_usd") where "cost_usd" is not null and "state" = 'analysed'`,
    },
    {
      name: 'calls_redacted',
      expression: `create index "calls_redacted" on "calls" ("import_id") where "redacted" is not null`,
    },
    { name: 'calls_age', properties: ['agentId', 'wordsGone', 'createdAt'] },
    {
      name: 'calls_caller',
      expression: `create index "calls_caller" on "calls" ("agent_id", "caller_key") where "caller_key" is not null and "state" = 'analysed'`,
    },
  ],
});

/** A caller whose calls are to be looked at again, because one of them came, changed or moved to another intent. */
export const CallerToReview = defineEntity({
  name: 'CallerToReview',
  tableName: 'callers_to_review',
  ...fenced,
  primaryKeys: ['agentId', 'callerKey'],
  properties: {
    agentId: p.uuid().primary(),
    callerKey: p.text().primary(),
    workspaceId: p.uuid(),
  },
});

/**
 * The normalised call, apart from the facts that lists read. `callerNumber` is always null here. A record that changed
 * after its analysis waits in `pending`, so that signals and quotes never point into a text that they were not read from.
 */
export const Transcript = defineEntity({
  name: 'Transcript',
  tableName: 'transcripts',
  ...fenced,
  properties: {
    callId: p.uuid().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    call: p.json<NormalisedCall>(),
    pending: p.json<{ call: NormalisedCall; callerKey: string | null }>().nullable(),
  },
});

/** The platform's payload as it came, compressed and sealed (`src/db/calls/payloads.ts` opens it); deleted after its retention. */
export const RawPayload = defineEntity({
  name: 'RawPayload',
  tableName: 'raw_payloads',
  ...fenced,
  properties: {
    callId: p.uuid().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    sealed: p.blob(),
    storedAt: time().defaultRaw('now()'),
  },
  indexes: [{ name: 'raw_payloads_age', properties: ['agentId', 'storedAt'] }],
});

/** What the rules said about a call beyond its signals. One row per call: the newest analyser version replaces the one before. */
export const CallAnalysisRecord = defineEntity({
  name: 'CallAnalysisRecord',
  tableName: 'call_analyses',
  ...fenced,
  properties: {
    callId: p.uuid().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    analyserVersion: p.integer(),
    /** All but `signals`, which have rows of their own, and what is interned: `notComputable` (call → profile) and `visits` (call → visit set). */
    analysis: p.json<Omit<CallAnalysis, 'signals' | 'notComputable' | 'visits'>>(),
    createdAt: createdAt(),
  },
});

export const CallSignal = defineEntity({
  name: 'CallSignal',
  tableName: 'call_signals',
  ...fenced,
  primaryKeys: ['callId', 'ordinal'],
  properties: {
    callId: p.uuid().primary(),
    ordinal: p.integer().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    code: p.text(),
    klass: p.enum(ISSUE_CLASSES),
    lane: p.enum(LANES).nullable(),
    severity: p.enum(SEVERITIES),
    confidence: p.double(),
    placeKind: p.enum(PLACE_KINDS),
    placeId: p.text(),
    placeLabel: p.text(),
    turnIndex: p.integer(),
    quote: p.text(),
    detail: p.text(),
    causeCode: p.text().nullable(),
    causeLabel: p.text().nullable(),
    causeDetail: p.text().nullable(),
    causeCategory: p.text().nullable(),
    causeParty: p.text().nullable(),
    basis: p.enum(SIGNAL_BASES).default('rules'),
    /** The other quotes that it stands on, where a reader found it. */
    proof: p.json<Proof[]>().nullable(),
  },
  indexes: [
    {
      name: 'call_signals_group',
      expression:
        'create index "call_signals_group" on "call_signals" ("agent_id", "code", "place_kind", md5("place_id"))',
    },
  ],
});

/** One row per call and code, carrying the sort key and the common filters: a rare code's page reads this index alone. */
export const CallCode = defineEntity({
  name: 'CallCode',
  tableName: 'call_codes',
  ...fencedByAgent,
  primaryKeys: ['callId', 'code'],
  properties: {
    callId: p.uuid().primary(),
    code: p.text().primary(),
    agentId: p.uuid(),
    sortAt: time(),
    outcome: p.enum(OUTCOMES).nullable(),
    version: p.integer(),
  },
  indexes: [
    {
      name: 'call_codes_list',
      expression:
        'create index "call_codes_list" on "call_codes" ("agent_id", "code", "sort_at" desc, "call_id" desc) include ("outcome", "version")',
    },
  ],
});
