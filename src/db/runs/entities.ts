import { defineEntity, p } from '@mikro-orm/core';
import type { Turn } from '../../domain/calls/call.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { AttemptScore, Epoch } from '../../domain/runs/attempt.ts';
import type { RunSummary } from '../../domain/runs/cell.ts';
import {
  ATTEMPT_RESULTS,
  CELL_RESULTS,
  LANES,
  RUN_DECISIONS,
  RUN_KINDS,
  RUN_STATUSES,
  RUN_TRIGGERS,
  TEST_EXPECTATIONS,
  TEST_SOURCES,
} from '../../domain/vocabulary.ts';
import { count, createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced, fencedApart } from '../row-security.ts';

/** Tests played against one version. Money is in billionths of a US dollar. */
export const Run = defineEntity({
  name: 'Run',
  tableName: 'runs',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    kind: p.enum(RUN_KINDS).default('run'),
    trigger: p.enum(RUN_TRIGGERS),
    status: p.enum(RUN_STATUSES).default('queued'),
    /** The latest word on it: what the budget covered, what it waits for, why it refused or failed. */
    message: p.text().nullable(),
    /** Said beside it all along: what has no price, what changed without a test. */
    note: p.text().nullable(),
    version: p.integer(),
    configHash: p.text().nullable(),
    testSetId: p.uuid().nullable(),
    testIds: p.array().columnType('uuid[]'),
    /** Ids of personas; null: each test's own caller. */
    personas: p.array().nullable(),
    repeats: p.integer().nullable(),
    /** Whether a copy of the version is made at the platform and played; then the one that was. */
    playsCopy: p.boolean().default(false),
    shadowAgentId: p.uuid().nullable(),
    /** The goal that it was started for. */
    goalId: p.uuid().nullable(),
    /** The draft that is played in the place of the version, which is its base, and the text that it had. */
    draftId: p.uuid().nullable(),
    draftRevision: p.integer().nullable(),
    cellsRequested: p.integer(),
    cellsRunnable: p.integer(),
    /** Cells that have their result. */
    cellsDone: count(),
    /** Null until the first score is complete. */
    summary: p.json<RunSummary>().nullable(),
    epoch: p.json<Epoch>().nullable(),
    /** Estimated before it is played, then what the attempts cost. */
    platformNanoUsd: p.bigint('number').default(0),
    serviceNanoUsd: p.bigint('number').default(0),
    /** What a person decided; the first decision stands. */
    decision: p.enum(RUN_DECISIONS).nullable(),
    decisionReason: p.text().nullable(),
    /** `all` or `covered`, of an approval. */
    approvalMode: p.enum(['all', 'covered'] as const).nullable(),
    decidedBy: p.uuid().nullable(),
    decidedAt: time().nullable(),
    /** When a person approved it; stays where the run was cancelled afterwards. */
    approvedAt: time().nullable(),
    /** Until when a person may approve it; null where none has to. */
    waitsUntil: time().nullable(),
    /** Until when simulated calls wait for the platform, and why, as the latest that began to wait was told. */
    heldUntil: time().nullable(),
    heldBecause: p.text().nullable(),
    /** When a person last had them ask at once. */
    pressedAt: time().nullable(),
    /** Counts the rescores that were begun; `rescoring` while one goes on. */
    rescores: count(),
    rescoring: p.boolean().default(false),
    /** Counts the tries of errored cells: each plays them once more. */
    retries: count(),
    /** A user id, `key:<id>`, or `earshot` for automatic runs. */
    createdBy: p.text(),
    apiKeyId: p.uuid().nullable(),
    startedAt: time().nullable(),
    finishedAt: time().nullable(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [
    { name: 'runs_agent', properties: ['agentId', 'createdAt', 'id'] },
    {
      name: 'runs_open',
      expression: `create index "runs_open" on "runs" ("workspace_id", "id") where "status" in ('queued', 'awaiting_approval', 'running') or "rescoring"`,
    },
    {
      name: 'runs_draft',
      expression: `create index "runs_draft" on "runs" ("draft_id", "draft_revision") where "draft_id" is not null`,
    },
    { name: 'runs_complete', properties: ['agentId', 'finishedAt', 'id'] },
    {
      name: 'runs_goal',
      expression: `create index "runs_goal" on "runs" ("goal_id", "created_at", "id") where "goal_id" is not null`,
    },
    {
      name: 'runs_auto_version',
      expression: `create unique index "runs_auto_version" on "runs" ("agent_id", "version") where "trigger" = 'auto'`,
    },
  ],
});

/** One test by one caller: what the run took over from the test when it began, and what its attempts came to. */
export const RunCell = defineEntity({
  name: 'RunCell',
  tableName: 'run_cells',
  ...fenced,
  primaryKeys: ['runId', 'testId', 'persona'],
  properties: {
    runId: p.uuid().primary(),
    testId: p.uuid().primary(),
    persona: p.string().length(100).primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    position: p.integer(),
    testRevision: p.integer(),
    source: p.enum(TEST_SOURCES),
    lane: p.enum(LANES).nullable(),
    expect: p.enum(TEST_EXPECTATIONS),
    guard: p.boolean(),
    gates: p.boolean(),
    gateReason: p.text().nullable(),
    runnable: p.boolean(),
    /** The attempt that its result begins with: those before it ended in an error that was tried again. */
    firstAttempt: p.integer().default(1),
    result: p.enum(CELL_RESULTS).nullable(),
    k: count(),
    n: count(),
    reason: p.text().nullable(),
  },
  indexes: [
    { name: 'run_cells_order', properties: ['runId', 'position'] },
    { name: 'run_cells_test', properties: ['testId', 'runId'] },
  ],
});

/** One simulated call. Its natural key makes a second start of the same attempt the same row. */
export const Attempt = defineEntity({
  name: 'Attempt',
  tableName: 'attempts',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    runId: p.uuid(),
    testId: p.uuid(),
    persona: p.string().length(100),
    attempt: p.integer(),
    testRevision: p.integer(),
    version: p.integer(),
    /** Turns while it is played; `played` waits for its score. */
    state: p.enum(['playing', 'played', 'scored'] as const).default('playing'),
    /** Counts those who took it up to play it: only the last one's steps are stored. */
    player: count(),
    /** How it ended; see `PlayedCall`. */
    endedBy: p.enum(['agent', 'caller', 'transfer', 'limit'] as const).nullable(),
    trouble: p.text().nullable(),
    noFixture: p.array().defaultRaw(`'{}'`),
    result: p.enum(ATTEMPT_RESULTS).nullable(),
    /** The score in force; null until there is one. */
    score: p.json<AttemptScore>().nullable(),
    /** Oldest first. */
    earlierScores: p.json<AttemptScore[]>().defaultRaw(`'[]'`),
    providerGraderStatus: p.text().nullable(),
    providerGraderExplanation: p.text().nullable(),
    platformNanoUsd: p.bigint('number').default(0),
    serviceNanoUsd: p.bigint('number').default(0),
    rescoredAt: time().nullable(),
    startedAt: time().defaultRaw('now()'),
    finishedAt: time().nullable(),
  },
  uniques: [{ name: 'attempts_natural_key', properties: ['runId', 'testId', 'persona', 'attempt'] }],
  indexes: [{ name: 'attempts_run', properties: ['runId', 'id'] }],
});

/** One step of a conversation, stored as it is made: what the caller said, or everything that the agent answered to it. */
export const AttemptStep = defineEntity({
  name: 'AttemptStep',
  tableName: 'attempt_steps',
  ...fenced,
  primaryKeys: ['attemptId', 'step'],
  properties: {
    attemptId: p.uuid().primary(),
    /** From 0; the agent opens with 0, the caller's first line is 1. */
    step: p.integer().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    by: p.enum(['caller', 'agent'] as const),
    /** Null until it is known: the intent stands before the question is asked. */
    turns: p.json<Turn[]>().nullable(),
    /** The platform's own messages of an agent's step. */
    messages: p.json<JsonObject[]>().nullable(),
    /** What the platform wants back with the next question. */
    state: p.json<JsonObject>().nullable(),
    /** Ids of the steps of the agent's flow that became active. */
    flowSteps: p.array().defaultRaw(`'{}'`),
    noFixture: p.array().defaultRaw(`'{}'`),
    /** Who ended the call with this step. */
    ended: p.enum(['agent', 'caller', 'transfer'] as const).nullable(),
    createdAt: createdAt(),
  },
});

/** The result document as bytes: what the API, the command line and webhooks all give out. */
export const RunDocument = defineEntity({
  name: 'RunDocument',
  tableName: 'run_documents',
  ...fenced,
  primaryKeys: ['runId', 'score'],
  properties: {
    runId: p.uuid().primary(),
    /** 0: the run's own; n: of its n-th rescore; the highest is in force. */
    score: p.integer().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    epoch: p.json<Epoch>(),
    /** The run that it is compared with; null for none. */
    comparedToId: p.uuid().nullable(),
    body: p.text(),
    sha256: p.text(),
    createdAt: createdAt(),
  },
});

/**
 * What a run holds back of the budgets of a month. Each play (the run itself, and each second try of its errors) reserves
 * once, in the month that it begins in, and settles once; what is held and not spent is released then.
 */
export const BudgetReservation = defineEntity({
  name: 'BudgetReservation',
  tableName: 'budget_reservations',
  ...fencedApart,
  primaryKeys: ['runId', 'month'],
  properties: {
    runId: p.uuid().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    apiKeyId: p.uuid().nullable(),
    /** First day of the UTC month that it counts in. */
    month: p.date().primary(),
    heldNanoUsd: p.bigint('number'),
    /** In this month. */
    spentNanoUsd: p.bigint('number').default(0),
    /** Plays that have reserved: one that comes twice holds back nothing more. */
    playsReserved: count(),
    /** Simulated test calls drawn from the plan. */
    testCalls: count(),
    /** Starts of the periods that they are counted in, ISO 8601. */
    countedIn: p.array().defaultRaw(`'{}'`),
    settledAt: time().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    { name: 'budget_reservations_agent', properties: ['agentId', 'month'] },
    { name: 'budget_reservations_key', properties: ['apiKeyId', 'month'] },
  ],
});
