import { defineEntity, p } from '@mikro-orm/core';
import type { VersionCalls } from '../../domain/issues/by-version.ts';
import type { Spike } from '../../domain/issues/spike.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { CallPath, Place } from '../../domain/signals/signal.ts';
import {
  IMPACTS,
  ISSUE_CLASSES,
  ISSUE_SOURCES,
  ISSUE_STATUSES,
  LANES,
  OUTCOMES,
  PLACE_KINDS,
  SECTIONS,
  SEVERITIES,
} from '../../domain/vocabulary.ts';
import { count, createdAt, id, time, updatedAt } from './columns.ts';
import { fenced, fencedByAgent } from './fence.ts';

/**
 * A group of signals with one code at one place (and, once split off, one cause). Rows exist from the first signal on;
 * until the pattern is confirmed the section is `hidden`. The grouping writes every column but the person's.
 */
export const Issue = defineEntity({
  name: 'Issue',
  tableName: 'issues',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    key: p.text(),
    source: p.enum(ISSUE_SOURCES).default('detector'),
    code: p.text(),
    placeKind: p.enum(PLACE_KINDS),
    placeId: p.text(),
    placeLabel: p.text(),
    /** Empty for the base group of (code, place); the cause's code for a group that was split off. */
    splitCause: p.text().default(''),
    klass: p.enum(ISSUE_CLASSES),
    lane: p.enum(LANES).nullable(),
    severity: p.enum(SEVERITIES),
    title: p.text(),
    status: p.enum(ISSUE_STATUSES).default('discovered'),
    countOnly: p.boolean().default(false),
    confirmed: p.boolean().default(false),
    /** When the pattern was first confirmed: of merged groups the oldest is the parent. */
    confirmedAt: time().nullable(),
    /** Set when the analysis stopped producing it; never listed then. */
    withdrawnAt: time().nullable(),
    causeCode: p.text().nullable(),
    causeLabel: p.text().nullable(),
    causeDetail: p.text().nullable(),
    causeEstablished: p.boolean().default(false),
    section: p.enum(SECTIONS).default('hidden'),
    sectionNote: p.text().nullable(),
    targetKind: p.text(),
    targetId: p.text(),
    targetLabel: p.text(),
    symptoms: p.json<{ code: string; label: string; count: number }[]>().defaultRaw(`'[]'`),
    intentSlug: p.text().nullable(),
    likelyCause: p.text().nullable(),
    recommendation: p.text().nullable(),
    volume: count(),
    rate: p.double().default(0),
    failedOutcomeShare: p.double().default(0),
    impact: p.enum(IMPACTS).default('low'),
    confidence: p.double().default(0),
    /** ln(score without recency) + ln 2 × (last seen in days) / 14; time never reorders it. Minus infinity is stored as -1e9. */
    orderKey: p.double().default(-1e9),
    /** The factors of the score, for the explanation. */
    priorityParts: p.json<JsonObject>().defaultRaw(`'{}'`),
    downstreamOfId: p.uuid().nullable(),
    /** Of groups with one target and one established cause, the oldest: it links the union of their calls. */
    mergedIntoId: p.uuid().nullable(),
    firstSeenVersion: p.integer().nullable(),
    lastSeenVersion: p.integer().nullable(),
    firstSeenAt: time().nullable(),
    lastSeenAt: time().nullable(),
    fellOnLive: p.boolean().default(false),
    /** Calls on which the caller spoke, for versions that have any; `agents.version_totals` is what they are out of. */
    callsByVersion: p.json<VersionCalls>().defaultRaw(`'[]'`),
    diagnosis: p.json<JsonObject>().nullable(),
    fix: p.json<JsonObject>().nullable(),
    /** The version in which a person said that it was fixed. */
    fixVersion: p.integer().nullable(),
    /** Digest of all that the grouping computed: a regroup writes only rows whose digest moved. */
    stateDigest: p.text().default(''),
    resolvedAt: time().nullable(),
    rejected: p.boolean().default(false),
    /** When a person last took it up again after it was resolved: its grace period begins anew there. */
    reopenedAt: time().nullable(),
    /** When it first stood on the board, which is said once. */
    listedAt: time().nullable(),
    /** The last day on which it was far more common than before. */
    spike: p.json<Spike>().nullable(),
    /** A member of the workspace who looks after it. */
    ownerId: p.uuid().nullable(),
    /** Set while a person has put it aside; `snoozedUntil` is null where only growth or a return ends that. */
    snoozedAt: time().nullable(),
    snoozedUntil: time().nullable(),
    snoozedBy: p.uuid().nullable(),
    /** Its rate over the seven days before the snooze. */
    snoozeRate: p.double().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  uniques: [
    { name: 'issues_key', properties: ['agentId', 'key'] },
    {
      name: 'issues_group',
      expression:
        'create unique index "issues_group" on "issues" ("agent_id", "source", "code", "place_kind", md5("place_id"), "split_cause")',
    },
  ],
  indexes: [
    // The rank is negated so that all columns ascend: only then can a page begin at a row comparison.
    {
      name: 'issues_board',
      expression: `create index "issues_board" on "issues" ("agent_id", (("section" = 'not_established')), "fell_on_live", (- "order_key"), "id") where "section" <> 'hidden' and "withdrawn_at" is null`,
    },
    {
      name: 'issues_downstream',
      expression: `create index "issues_downstream" on "issues" ("downstream_of_id") where "downstream_of_id" is not null`,
    },
    {
      name: 'issues_snoozed',
      expression: `create index "issues_snoozed" on "issues" ("agent_id") where "snoozed_at" is not null`,
    },
  ],
});

/** A call that shows the issue, with the call's sort key and filters. The parent of merged groups links the calls of all of them. */
export const IssueCall = defineEntity({
  name: 'IssueCall',
  tableName: 'issue_calls',
  ...fencedByAgent,
  primaryKeys: ['issueId', 'callId'],
  properties: {
    issueId: p.uuid().primary(),
    callId: p.uuid().primary(),
    agentId: p.uuid(),
    sortAt: time(),
    outcome: p.enum(OUTCOMES).nullable(),
    version: p.integer(),
    /** Earliest turn that shows it on this call. */
    firstTurn: p.integer(),
    /** False when only a group merged into this issue shows on the call. */
    own: p.boolean().default(true),
    /** Highest confidence of its signals on this call in thousandths: whole numbers, so that sums by difference stay exact. */
    confidenceMilli: p.integer(),
  },
  indexes: [
    {
      name: 'issue_calls_list',
      expression:
        'create index "issue_calls_list" on "issue_calls" ("issue_id", "sort_at" desc, "call_id" desc) include ("outcome", "version")',
    },
  ],
});

/** Which codes could not be computed on a call, and why. Few distinct profiles serve all calls of an agent. */
export const ComputabilityProfile = defineEntity({
  name: 'ComputabilityProfile',
  tableName: 'computability_profiles',
  ...fencedByAgent,
  properties: {
    id: id(),
    agentId: p.uuid(),
    digest: p.text(),
    notComputable: p.json<{ code: string; reason: string }[]>(),
  },
  uniques: [{ name: 'computability_profiles_natural_key', properties: ['agentId', 'digest'] }],
});

/** The set of places that a call reached; calls share few sets. */
export const VisitSet = defineEntity({
  name: 'VisitSet',
  tableName: 'visit_sets',
  ...fencedByAgent,
  properties: {
    id: id(),
    agentId: p.uuid(),
    digest: p.text(),
    places: p.json<Place[]>(),
    /** The step at which the call ended; null on sets from before it was read. */
    endStep: p.json<Place>().nullable(),
    /** Moves and loops of the calls that share it; null on sets from before they were read. */
    path: p.json<CallPath>().nullable(),
  },
  uniques: [{ name: 'visit_sets_natural_key', properties: ['agentId', 'digest'] }],
});

const outcomeCounts = {
  calls: count(),
  spoke: count(),
  bad: count(),
  resolved: count(),
  unresolved: count(),
  transferred: count(),
  abandoned: count(),
  noContact: count(),
  /** Sum of durations in whole seconds, and of their squares: mean and spread without reading calls. */
  durationS: p.bigint('number').default(0),
  durationSquareS: p.bigint('number').default(0),
};

/**
 * Calls that reached a place, per profile, version and day of start (`0001-01-01` for calls without one). The place
 * (`agent`, `agent`) counts every call: the base of all rates.
 */
export const PlaceRollup = defineEntity({
  name: 'PlaceRollup',
  tableName: 'place_rollups',
  ...fencedByAgent,
  primaryKeys: ['agentId', 'placeKind', 'placeDigest', 'profileId', 'version', 'day'],
  properties: {
    agentId: p.uuid().primary(),
    placeKind: p.enum(PLACE_KINDS).primary(),
    /** md5 of the place's id: names from data can be longer than an index row. */
    placeDigest: p.text().primary(),
    profileId: p.uuid().primary(),
    version: p.integer().primary(),
    day: p.date().primary(),
    ...outcomeCounts,
    /** Kept for the place (`agent`, `agent`) only. */
    firstStartedAt: time().nullable(),
    lastStartedAt: time().nullable(),
  },
});

/** Calls that show an issue, per version: what every regroup reads, so it has no day. */
export const IssueRollup = defineEntity({
  name: 'IssueRollup',
  tableName: 'issue_rollups',
  ...fencedByAgent,
  primaryKeys: ['issueId', 'version'],
  properties: {
    issueId: p.uuid().primary(),
    version: p.integer().primary(),
    agentId: p.uuid(),
    ...outcomeCounts,
    /** Calls that show the issue itself, not a group merged into it. */
    ownCalls: count(),
    confidenceMilli: p.bigint('number').default(0),
  },
  indexes: [{ name: 'issue_rollups_agent', properties: ['agentId'] }],
});

/** Calls that show the issue itself, per day of start (`0001-01-01` for calls without one): the window of the confirmation rule, and trends. */
export const IssueDay = defineEntity({
  name: 'IssueDay',
  tableName: 'issue_days',
  ...fencedByAgent,
  primaryKeys: ['issueId', 'day'],
  properties: {
    issueId: p.uuid().primary(),
    day: p.date().primary(),
    agentId: p.uuid(),
    calls: count(),
  },
  indexes: [{ name: 'issue_days_agent', properties: ['agentId', 'day'] }],
});

/** On how many calls of an issue each cause's evidence was present. */
export const IssueCause = defineEntity({
  name: 'IssueCause',
  tableName: 'issue_causes',
  ...fencedByAgent,
  primaryKeys: ['issueId', 'causeCode'],
  properties: {
    issueId: p.uuid().primary(),
    causeCode: p.text().primary(),
    agentId: p.uuid(),
    calls: count(),
  },
  indexes: [{ name: 'issue_causes_agent', properties: ['agentId'] }],
});

/** On how many calls one issue's first signal came before the other's: what decides which follows from which. */
export const IssuePair = defineEntity({
  name: 'IssuePair',
  tableName: 'issue_pairs',
  ...fencedByAgent,
  primaryKeys: ['firstIssueId', 'thenIssueId'],
  properties: {
    firstIssueId: p.uuid().primary(),
    thenIssueId: p.uuid().primary(),
    agentId: p.uuid(),
    calls: count(),
  },
  indexes: [{ name: 'issue_pairs_agent', properties: ['agentId'] }],
});

/** On how many calls of an issue each intent was the caller's: an issue is specific to one at 80 % of at least five. */
export const IssueIntent = defineEntity({
  name: 'IssueIntent',
  tableName: 'issue_intents',
  ...fencedByAgent,
  primaryKeys: ['issueId', 'intentSlug'],
  properties: {
    issueId: p.uuid().primary(),
    intentSlug: p.text().primary(),
    agentId: p.uuid(),
    calls: count(),
  },
  indexes: [{ name: 'issue_intents_agent', properties: ['agentId'] }],
});

/** Every change of an issue's status, by the analysis or by a person, with who and why. */
export const IssueHistory = defineEntity({
  name: 'IssueHistory',
  tableName: 'issue_history',
  ...fenced,
  properties: {
    id: id(),
    /** Of whoever changed it. */
    workspaceId: p.uuid().defaultRaw('workspace_in_scope()'),
    issueId: p.uuid(),
    agentId: p.uuid(),
    fromStatus: p.enum(ISSUE_STATUSES).nullable(),
    toStatus: p.enum(ISSUE_STATUSES),
    trigger: p.text(),
    personId: p.uuid().nullable(),
    reason: p.text().nullable(),
    createdAt: createdAt(),
  },
  indexes: [{ name: 'issue_history_issue', properties: ['issueId', 'createdAt', 'id'] }],
});

/** What people say about an issue, in the order in which they said it. */
export const IssueComment = defineEntity({
  name: 'IssueComment',
  tableName: 'issue_comments',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    issueId: p.uuid(),
    personId: p.uuid(),
    text: p.text(),
    createdAt: createdAt(),
  },
  indexes: [{ name: 'issue_comments_issue', properties: ['issueId', 'createdAt', 'id'] }],
});
