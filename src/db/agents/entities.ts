import { defineEntity, p } from '@mikro-orm/core';
import type { VersionTotals } from '../../domain/issues/by-version.ts';
import type { GracePlan } from '../../domain/issues/grace-plan.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { RetentionSet } from '../../domain/retention/retention.ts';
import type { Thresholds } from '../../domain/signals/detector-input.ts';
import type { Brief } from '../../domain/versions/brief.ts';
import {
  MODEL_READING_MODES,
  MODEL_SHARES,
  ONBOARDING_STEPS,
  PLATFORMS,
  SETUP_STATUSES,
} from '../../domain/vocabulary.ts';
import { count, createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced } from '../row-security.ts';

export const Agent = defineEntity({
  name: 'Agent',
  tableName: 'agents',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    connectionId: p.uuid().nullable(),
    name: p.string().length(200),
    provider: p.enum(PLATFORMS),
    providerAgentId: p.text(),
    /** The platform's slug, or `demo` for synthetic data shaped like the platform's. */
    source: p.text(),
    currentVersion: p.integer().default(1),
    setupStatus: p.enum(SETUP_STATUSES).default('pending'),
    onboardingStep: p.enum(ONBOARDING_STEPS).default('connect'),
    /** As read from the configuration, then as a person edited it; null until it was read. */
    brief: p.json<Brief>().nullable(),
    /** Why there is no brief yet, or that a person has edited it, in words. */
    briefMessage: p.text().nullable(),
    briefReads: count(),
    /** True only for the shared demo agents: readable by every workspace, closed for writes. */
    readOnly: p.boolean().default(false),
    graceDays: p.integer().default(7).check('((grace_days >= 1) AND (grace_days <= 90))'),
    boardSource: p.enum(['detector', 'outcome'] as const).default('detector'),
    /** What a model may do on the agent's calls. */
    modelReading: p.enum(MODEL_READING_MODES).default('assist'),
    modelShare: p.enum(MODEL_SHARES).default('all'),
    /** Of the calls that nothing points at, by a number that each call has for good; counts where only the others are read. */
    modelSharePercent: p.integer().default(0).check('((model_share_percent >= 0) AND (model_share_percent <= 100))'),
    /** What reading its calls may cost in a UTC month; null: unlimited. */
    modelBudgetUsd: p.decimal('number').precision(12).scale(4).nullable(),
    thresholds: p.json<Thresholds>().defaultRaw(`'{}'`),
    settings: p.json<JsonObject>().defaultRaw(`'{}'`),
    /** How long calls are kept, as far as it is set apart from the workspace. */
    retention: p.json<RetentionSet>().defaultRaw(`'{}'`),
    /** What simulated calls may cost a UTC month at the platform; null: unlimited. */
    testBudgetUsd: p.decimal('number').precision(12).scale(4).nullable(),
    /** What a simulated call costs at the platform; null: the platform's usual rate. */
    simulatedCallUsd: p.decimal('number').precision(12).scale(6).nullable(),
    /** Whether a version that goes live after another is tested by itself. */
    autoRuns: p.boolean().default(true),
    /** Where an agent that sends its calls answers chats, for tests; the key is sealed. */
    chatUrl: p.text().nullable(),
    chatModel: p.text().nullable(),
    sealedChatKey: p.text().nullable(),
    testCount: count(),
    /** Start of the window that the next poll lists from; moves only when every listed call is accounted for. */
    bookmarkAt: time().nullable(),
    /** Up to when calls that have ended are accounted for, also where one that goes on holds the bookmark back. */
    polledUntil: time().nullable(),
    /** What the platform showed of the agent's versions when they were last taken, as a digest; null where it shows none. */
    versionMark: p.text().nullable(),
    /** When the poll of the account last took the agent's versions. */
    versionsTakenAt: time().nullable(),
    /** Kept with every batch, so that reading an agent never counts calls. */
    callCount: count(),
    openIssueCount: count(),
    versionCount: count(),
    /** Newest first; as the last regroup saw them, so that issues and totals agree. */
    versionTotals: p.json<VersionTotals>().defaultRaw(`'[]'`),
    /** Start of the newest analysed call: what recency is measured to, never the wall clock. */
    newestCallAt: time().nullable(),
    /** Raised by every batch that changes a rollup; the regroup that has seen it writes `groupedRevision`. */
    evidenceRevision: p.bigint('number').default(0),
    groupedRevision: p.bigint('number').default(0),
    /** What the grace workflow waits for, as the last look at the issues left it. */
    gracePlan: p.json<GracePlan>().nullable(),
    /** Being erased with all that it has: nobody reaches it any more. */
    erasing: p.boolean().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [
    { name: 'agents_natural_key', properties: ['workspaceId', 'provider', 'providerAgentId'] },
    { name: 'agents_of_workspace', properties: ['workspaceId', 'id'] },
  ],
  indexes: [{ name: 'agents_workspace', properties: ['workspaceId', 'createdAt', 'id'] }],
});
