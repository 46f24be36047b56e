import { defineEntity, p } from '@mikro-orm/core';
import type { ProcessStanding } from '../../domain/installation/findings.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { SetAllowances } from '../../domain/limits/plans.ts';
import type { RetentionSet } from '../../domain/retention/retention.ts';
import { KEY_ACCESSES, PLANS, ROLES } from '../../domain/vocabulary.ts';
import { count, createdAt, id, time } from '../columns.ts';

/** An organization: members, keys, agents, one plan. The system workspace owns the shared demo agents. */
export const Workspace = defineEntity({
  name: 'Workspace',
  tableName: 'workspaces',
  properties: {
    id: id(),
    name: p.string().length(100),
    plan: p.enum(PLANS).default('enterprise'),
    /** From when the billing periods of a paid plan are counted. */
    planSince: time().defaultRaw('now()'),
    /** What the workspace's owner set in place of what the plan includes. */
    allowances: p.json<SetAllowances>().defaultRaw(`'{}'`),
    /** How long calls are kept, as far as it is not the usual. */
    retention: p.json<RetentionSet>().defaultRaw(`'{}'`),
    /** MiB of calls that it may keep; null: what is usual in the installation. */
    storageLimitMib: p.integer().nullable(),
    isSystem: p.boolean().default(false),
    /** The person whom it counts for, member or not by now: who made it, or who let them in. Null for the demo's. */
    madeBy: p.uuid().nullable(),
    createdAt: createdAt(),
  },
});

/** What a deleted workspace had used of its allowances, for the next that its maker makes: deleting one renews none. */
export const LeftUsage = defineEntity({
  name: 'LeftUsage',
  tableName: 'left_usage',
  properties: {
    /** The one that was deleted. */
    workspaceId: p.uuid().primary(),
    /** Keyed digest of who made it, whose account may be gone. */
    maker: p.text().index('left_usage_maker'),
    planSince: time(),
    /** Of the plan, by period. */
    periods: p.json<JsonObject[]>(),
    /** Of models, by day, in billionths of a US dollar. */
    spent: p.json<JsonObject[]>(),
    createdAt: createdAt(),
  },
});

/**
 * An account. Whoever has a link makes one under any address, so several may stand under one; at most one of them proved
 * that the address is theirs.
 */
export const Person = defineEntity({
  name: 'Person',
  tableName: 'people',
  properties: {
    id: id(),
    /** Stored in lower case; compared as stored. */
    email: p.string().length(320).index('people_email'),
    name: p.string().length(200),
    /** scrypt, with its parameters and salt in the text; null where there is none to sign in with. */
    passwordHash: p.text().nullable(),
    /** Whether somebody else chose the password, and so knows it. */
    passwordGiven: p.boolean().default(false),
    /** When a provider vouched for the address; null: nobody did, and whoever had a link chose the password. */
    provedAt: time().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    {
      name: 'people_proved_email',
      expression: 'create unique index "people_proved_email" on "people" ("email") where "proved_at" is not null',
    },
  ],
});

/** Who a person is at a provider: the subject stays, whatever becomes of the address. */
export const Identity = defineEntity({
  name: 'Identity',
  tableName: 'identities',
  primaryKeys: ['issuer', 'subject'],
  properties: {
    issuer: p.text().primary(),
    subject: p.text().primary(),
    personId: p.uuid(),
    createdAt: createdAt(),
  },
  uniques: [{ name: 'identities_person_unique', properties: ['personId', 'issuer'] }],
});

export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  primaryKeys: ['workspaceId', 'personId'],
  properties: {
    workspaceId: p.uuid().primary(),
    personId: p.uuid().primary(),
    role: p.enum(ROLES),
    createdAt: createdAt(),
  },
  indexes: [{ name: 'memberships_person', properties: ['personId'] }],
});

/** Asks for somebody to join a workspace. It is of an address, and of nobody's account until one accepts it. */
export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  properties: {
    /** Also that of the account which is made by accepting it. */
    id: id(),
    workspaceId: p.uuid(),
    /** In lower case. */
    email: p.string().length(320),
    name: p.string().length(200),
    role: p.enum(ROLES),
    /** The admin who invites, for as long as they are one; null: a group of the provider does. */
    invitedBy: p.uuid().nullable(),
    /** Digest of the link's secret; null where no link was made. */
    secretHash: p.text().nullable().unique('invitations_secret_unique'),
    createdAt: createdAt(),
    expiresAt: time(),
  },
  uniques: [{ name: 'invitations_email_unique', properties: ['workspaceId', 'email'] }],
  indexes: [{ name: 'invitations_email', properties: ['email'] }],
});

/** A link that works once: the first admin's sign-up, a new password. Only a digest of its secret is kept. */
export const OneTimeLink = defineEntity({
  name: 'OneTimeLink',
  tableName: 'one_time_links',
  properties: {
    id: id(),
    secretHash: p.text().unique('one_time_links_secret_unique'),
    purpose: p.enum(['first_admin', 'password'] as const),
    workspaceId: p.uuid(),
    personId: p.uuid(),
    /** The admin who made the link for a new password; null for the first admin's, which the server prints. */
    madeBy: p.uuid().nullable(),
    createdAt: createdAt(),
    expiresAt: time(),
    usedAt: time().nullable(),
  },
});

/** A long refresh session. Rotation replaces `secretHash`; the previous secret stays good for a moment so that two tabs do not sign each other out. */
export const Session = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: id(),
    /** Where it begins; null for somebody who belongs to no workspace yet. */
    workspaceId: p.uuid().nullable(),
    personId: p.uuid(),
    secretHash: p.text().unique('sessions_secret_unique'),
    previousSecretHash: p.text().nullable().index('sessions_previous_secret'),
    rotatedAt: time().nullable(),
    /** False for the command line's session, which is swapped but never rotated. */
    rotates: p.boolean().default(true),
    createdAt: createdAt(),
    expiresAt: time(),
    revokedAt: time().nullable(),
  },
});

export const ApiKey = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    name: p.string().length(100),
    access: p.enum(KEY_ACCESSES),
    /** Null: every agent that the workspace can read. */
    agentId: p.uuid().nullable(),
    /** Null for read keys. */
    monthlyBudgetUsd: p.decimal('number').precision(12).scale(4).nullable(),
    secretHash: p.text().unique('api_keys_secret_unique'),
    /** First ten characters, for lists. */
    prefix: p.string().length(10),
    createdBy: p.uuid(),
    createdAt: createdAt(),
    lastUsedAt: time().nullable(),
    revokedAt: time().nullable(),
  },
  indexes: [{ name: 'api_keys_workspace', properties: ['workspaceId', 'createdAt'] }],
});

/** Lets calls in for one agent, and nothing else. Only a digest of its secret is kept. */
export const IngestToken = defineEntity({
  name: 'IngestToken',
  tableName: 'ingest_tokens',
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    connectionId: p.uuid(),
    agentId: p.uuid(),
    name: p.string().length(100),
    secretHash: p.text().unique('ingest_tokens_secret_unique'),
    /** First ten characters, for lists. */
    prefix: p.string().length(10),
    createdBy: p.uuid(),
    createdAt: createdAt(),
    lastUsedAt: time().nullable(),
    revokedAt: time().nullable(),
  },
  indexes: [{ name: 'ingest_tokens_connection', properties: ['connectionId', 'createdAt'] }],
});

/** Whose a connection is, for events that come in before any workspace is known. Holds no secret. */
export const HookAddress = defineEntity({
  name: 'HookAddress',
  tableName: 'hook_addresses',
  properties: {
    connectionId: p.uuid().primary(),
    workspaceId: p.uuid(),
  },
});

/** An entry of the outbox: a workflow to start or to message, written in the transaction of the row that it serves. */
export const OutboxEntry = defineEntity({
  name: 'OutboxEntry',
  tableName: 'outbox_entries',
  properties: {
    id: id(),
    /** Type of the workflow. */
    workflow: p.text(),
    workflowId: p.text(),
    /** `start`, or the name of a message to an open (or missing, then started) workflow. */
    action: p.text().default('start'),
    startArgs: p.json<unknown[]>().defaultRaw(`'[]'`),
    signalArgs: p.json<unknown[]>().defaultRaw(`'[]'`),
    workspaceId: p.uuid(),
    agentId: p.uuid().nullable(),
    createdAt: createdAt(),
    /** A relay holds the entry until then; after that another may take it. */
    leasedUntil: time().nullable(),
    tries: count(),
    lastError: p.text().nullable(),
    sentAt: time().nullable(),
  },
  indexes: [
    {
      name: 'outbox_entries_open',
      expression: 'create index "outbox_entries_open" on "outbox_entries" ("created_at") where "sent_at" is null',
    },
  ],
});

/** A process that polls or answers, seen lately: what `/workz` and `doctor` read. */
export const ProcessSeen = defineEntity({
  name: 'ProcessSeen',
  tableName: 'processes_seen',
  properties: {
    id: id(),
    kind: p.enum(['api', 'worker'] as const),
    pid: p.integer(),
    host: p.text(),
    startedAt: createdAt(),
    seenAt: time().defaultRaw('now()'),
    /** What it says of itself; null where it is of a version that says nothing. */
    standing: p.json<ProcessStanding>().nullable(),
  },
});

/** Keys that outlive the secret of the installation, sealed under it. */
export const InstallationKey = defineEntity({
  name: 'InstallationKey',
  tableName: 'installation_keys',
  properties: {
    name: p.text().primary(),
    sealed: p.text(),
    createdAt: createdAt(),
  },
});

/** An account of a model, of the operator or of a workspace: what it says of waiting holds for whoever asks it. */
export const ModelAccount = defineEntity({
  name: 'ModelAccount',
  tableName: 'model_accounts',
  properties: {
    id: p.text().primary(),
    limitedUntil: time(),
    /** How often in a row it asked to wait without saying for how long. */
    untold: count(),
  },
});

/**
 * A token bucket, kept as the time at which it is full again: every draw moves that time on by one token. A missing row
 * is a full bucket. Unlogged and half filled (a later migration says so): a crash leaves buckets full, which is safe.
 */
export const Bucket = defineEntity({
  name: 'Bucket',
  tableName: 'buckets',
  properties: {
    /** The kind of bucket and whose it is: `requests:<key id>`, `failures:<address>`. */
    name: p.text().primary(),
    fullAt: p.datetime(6),
  },
});
