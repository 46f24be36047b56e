import { defineEntity, p } from '@mikro-orm/core';
import type { CallAnalysis } from '../../domain/signals/call-analysis.ts';
import type { Thresholds } from '../../domain/signals/detector-input.ts';
import type { ReanalysisReport } from '../../domain/signals/reanalysis-report.ts';
import { OUTCOMES, REANALYSIS_STATUSES } from '../../domain/vocabulary.ts';
import { count, createdAt, id, time, updatedAt } from '../columns.ts';
import { fenced } from '../row-security.ts';

/** The history of an agent read again, apart from what is shown, until somebody switches the new readings on. */
export const Reanalysis = defineEntity({
  name: 'Reanalysis',
  tableName: 'reanalyses',
  ...fenced,
  properties: {
    id: id(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    status: p.enum(REANALYSIS_STATUSES).default('queued'),
    analyserVersion: p.integer(),
    /** Read under these, which become the agent's when it is switched on; null: under those that the agent has. */
    thresholds: p.json<Thresholds>().nullable(),
    /** Switched on by itself after its report: nobody may write to a shared demo agent. */
    appliesItself: p.boolean().default(false),
    /** Analysed calls when it began. */
    total: count(),
    /** Calls read, those that failed included. */
    done: count(),
    failed: count(),
    /** The last call that was read: calls are taken in the order of their ids. */
    cursor: p.uuid().nullable(),
    /** Readings switched on. */
    applied: count(),
    report: p.json<ReanalysisReport>().nullable(),
    /** Why it failed, in words. */
    reason: p.text().nullable(),
    createdBy: p.uuid().nullable(),
    createdAt: createdAt(),
    reportedAt: time().nullable(),
    finishedAt: time().nullable(),
    updatedAt: updatedAt(),
  },
  indexes: [
    { name: 'reanalyses_agent', properties: ['agentId', 'createdAt', 'id'] },
    {
      name: 'reanalyses_open',
      expression: `create unique index "reanalyses_open" on "reanalyses" ("agent_id") where "status" in ('queued', 'reading', 'reported', 'applying')`,
    },
  ],
});

/** A reading that is not switched on: gone with the re-analysis that made it. */
export const ShadowReading = defineEntity({
  name: 'ShadowReading',
  tableName: 'shadow_readings',
  ...fenced,
  primaryKeys: ['reanalysisId', 'callId'],
  properties: {
    reanalysisId: p.uuid().primary(),
    callId: p.uuid().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    payloadDigest: p.text(),
    codesBefore: p.array().defaultRaw(`'{}'`),
    codesAfter: p.array().defaultRaw(`'{}'`),
    outcomeBefore: p.enum(OUTCOMES).nullable(),
    outcomeAfter: p.enum(OUTCOMES).nullable(),
    /** Null where it says what the standing reading says: then there is nothing to switch on but its version. */
    analysis: p.json<CallAnalysis>().nullable(),
  },
});
