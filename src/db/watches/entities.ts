import { defineEntity, p } from '@mikro-orm/core';
import {
  BACKTEST_STATUSES,
  LANES,
  POLARITIES,
  SAMPLE_KINDS,
  SIGNAL_LABELS,
  WATCH_ORIGINS,
  WATCH_STATES,
} from '../../domain/vocabulary.ts';
import type { AlarmLimit, FailingWatch } from '../../domain/watches/failing.ts';
import type { WatchExpectation, WatchScope } from '../../domain/watches/watch.ts';
import { count, createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced, fencedByAgent } from '../row-security.ts';

/** An expectation that is checked on production calls. */
export const Watch = defineEntity({
  name: 'Watch',
  tableName: 'watches',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    name: p.string().length(200),
    lane: p.enum(LANES),
    state: p.enum(WATCH_STATES).default('draft'),
    /** Grows with each change of what it looks at or expects: samples, labels and verdicts belong to one revision. */
    revision: p.integer().default(1),
    origin: p.enum(WATCH_ORIGINS),
    scopeText: p.text(),
    scopeCode: p.json<WatchScope>(),
    expectationText: p.text(),
    expectationCode: p.json<WatchExpectation>(),
    polarity: p.enum(POLARITIES),
    /** Of a generated watch: what it was read from. The key names its line by its words, which stay when lines move. */
    sourceKey: p.text().nullable(),
    sourceVersion: p.integer().nullable(),
    sourceStep: p.text().nullable(),
    sourceLine: p.integer().nullable(),
    sourceText: p.text().nullable(),
    /** The version from which on the line does not stand in the agent's text any more. */
    sourceGoneIn: p.integer().nullable(),
    /** What the first backtest of a suggestion found. */
    firstSample: p.json<{ inScope: number; flagged: number }>().nullable(),
    /** What a person bears at most, beside growth over its own past. */
    alarm: p.json<AlarmLimit>().nullable(),
    /** Set while it reaches its limit or fails clearly more than its own past. */
    failing: p.json<FailingWatch>().nullable(),
    /** A person's id, `key:<id>`, or `earshot`. */
    createdBy: p.text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  indexes: [
    { name: 'watches_agent', properties: ['agentId', 'createdAt', 'id'] },
    {
      name: 'watches_source',
      expression: `create unique index "watches_source" on "watches" ("agent_id", "source_key") where "source_key" is not null`,
    },
    {
      name: 'watches_live',
      expression: `create index "watches_live" on "watches" ("agent_id", "id") where "state" = 'live'`,
    },
  ],
});

/** A revision of a watch held against calls that are there already. */
export const Backtest = defineEntity({
  name: 'Backtest',
  tableName: 'backtests',
  ...fenced,
  primaryKeys: ['watchId', 'revision'],
  properties: {
    watchId: p.uuid().primary(),
    revision: p.integer().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    status: p.enum(BACKTEST_STATUSES).default('queued'),
    /** Calls that the record's columns do not rule out, when it began: what `considered` grows towards. */
    candidates: count(),
    considered: count(),
    inScope: count(),
    flagged: count(),
    /** Of those in scope, calls that can't show whether it held. */
    notComputable: count(),
    /** The last call that was looked at: newest first. */
    cursorAt: time().nullable(),
    cursorId: p.uuid().nullable(),
    /** Why it failed, in words. */
    reason: p.text().nullable(),
    createdBy: p.text(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    finishedAt: time().nullable(),
  },
});

/** A call drawn from a backtest for people to look at, as it was judged then, with what they said of it. */
export const WatchSample = defineEntity({
  name: 'WatchSample',
  tableName: 'watch_samples',
  ...fenced,
  primaryKeys: ['watchId', 'revision', 'callId'],
  properties: {
    watchId: p.uuid().primary(),
    revision: p.integer().primary(),
    callId: p.uuid().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    /** Order in which they were drawn. */
    position: p.integer(),
    kind: p.enum(SAMPLE_KINDS),
    verdict: p.text(),
    turn: p.integer(),
    quote: p.text(),
    label: p.enum(SIGNAL_LABELS).nullable(),
    labelledBy: p.text().nullable(),
    labelledAt: time().nullable(),
  },
  indexes: [{ name: 'watch_samples_call', properties: ['callId'] }],
});

/** Whether the expectation held on a call on which it could be told: of the watch's revision in force. */
export const WatchVerdict = defineEntity({
  name: 'WatchVerdict',
  tableName: 'watch_verdicts',
  ...fencedByAgent,
  primaryKeys: ['callId', 'watchId'],
  properties: {
    callId: p.uuid().primary(),
    watchId: p.uuid().primary(),
    agentId: p.uuid(),
    version: p.integer(),
    /** UTC day of the call's start, `0001-01-01` for calls without one. */
    day: p.date(),
    /** False where the call's intent or outcome, as it is stored now, puts it outside. */
    inScope: p.boolean(),
    held: p.boolean(),
    /** True: what is stored as the call's outcome decides, so that the verdict follows it. */
    byOutcome: p.boolean(),
    turn: p.integer(),
    quote: p.text(),
    because: p.text(),
  },
  indexes: [{ name: 'watch_verdicts_watch', properties: ['watchId', 'held'] }],
});

/** Sums of `watch_verdicts` in scope by version and day, kept by difference. */
export const WatchDay = defineEntity({
  name: 'WatchDay',
  tableName: 'watch_days',
  ...fencedByAgent,
  primaryKeys: ['watchId', 'version', 'day'],
  properties: {
    watchId: p.uuid().primary(),
    version: p.integer().primary(),
    day: p.date().primary(),
    agentId: p.uuid(),
    held: count(),
    broken: count(),
  },
});
