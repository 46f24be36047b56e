import { defineEntity, p } from '@mikro-orm/core';
import type { VersionCalls } from '../../domain/issues/by-version.ts';
import type { Spike } from '../../domain/issues/spike.ts';
import type { JsonObject } from '../../domain/json.ts';
import {
  IMPACTS,
  ISSUE_CLASSES,
  ISSUE_SOURCES,
  ISSUE_STATUSES,
  LANES,
  PLACE_KINDS,
  SECTIONS,
  SEVERITIES,
} from '../../domain/vocabulary.ts';
import { count, createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced } from '../row-security.ts';

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
    /** Its negation, so that all columns of the board's order ascend. */
    boardRank: p.double().generated(`(- order_key) stored`),
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
    // All columns ascend: only then can a page begin at a row comparison. And none but a comparison is a function of a
    // column: under row security PostgreSQL looks up in an index only what no function could leak.
    {
      name: 'issues_board',
      expression: `create index "issues_board" on "issues" ("agent_id", (("section" = 'not_established')), "fell_on_live", "board_rank", "id") where "section" <> 'hidden' and "withdrawn_at" is null`,
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
