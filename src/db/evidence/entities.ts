import { defineEntity, p } from '@mikro-orm/core';
import type { CallPath } from '../../domain/signals/call-analysis.ts';
import type { Place } from '../../domain/signals/signal.ts';
import { OUTCOMES, PLACE_KINDS } from '../../domain/vocabulary.ts';
import { count, id, time } from '../columns.ts';
import { fencedByAgent } from '../row-security.ts';

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

/**
 * Calls that reached a step, by the codes noticed on them before the end (the empty code: all of them), and of them
 * those that ended badly at that step: what nominates the cause of an outcome issue.
 */
export const StepCode = defineEntity({
  name: 'StepCode',
  tableName: 'step_codes',
  ...fencedByAgent,
  primaryKeys: ['agentId', 'stepKind', 'stepDigest', 'code'],
  properties: {
    agentId: p.uuid().primary(),
    stepKind: p.enum(PLACE_KINDS).primary(),
    /** md5 of the step's id: names from data can be longer than an index row. */
    stepDigest: p.text().primary(),
    code: p.text().primary(),
    calls: count(),
    bad: count(),
  },
});
