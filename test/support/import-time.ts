import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { BegunImport, WaitingCalls } from '../../activities/import-calls/import-record.ts';
import type { PageResult } from '../../activities/import-calls/page.ts';
import type { AnalysisActivities, ControlActivities } from '../../activities/index.ts';
import { asFailure } from '../../activities/shared/failures.ts';
import { PlatformError } from '../../src/platforms/port.ts';
import { isWorkflowOpen } from '../../src/temporal/client.ts';
import { importWorkflowId, NO_COUNTS, PATIENCE } from '../../src/temporal/import-calls.ts';
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts';
import { openSkippedTime, type SkippedTime } from './skipped-time.ts';

export const EMPTY_PAGE = {
  listed: 0,
  callIds: [],
  unchanged: 0,
  ongoing: 0,
  gone: 0,
  failed: 0,
  reasons: [],
  oldestOngoingAt: null,
};

/** What the world answers to the workflows; each test sets what it is about. */
export interface ImportWorld {
  /** @param importId who asks for it. */
  page(importId: string): Promise<PageResult>;
  polls: number[];
  waiting(): WaitingCalls;
  /** Ids of calls, in the order in which they were analysed. */
  analysed: string[];
  finished: { status: string; reason: string | null }[];
}

export const nothingWaits = (): WaitingCalls => ({ own: [], others: [], held: null });

export const newImportWorld = (): ImportWorld => ({
  page: async () => lastPage(),
  polls: [],
  waiting: nothingWaits,
  analysed: [],
  finished: [],
});

/** Skipped time, with activities that answer what this world says. */
export const openImportTime = (server: string | null, world: ImportWorld): Promise<SkippedTime> =>
  openSkippedTime(server, (env) => ({
    [TASK_QUEUES.control]: controlActivities(env, world),
    [TASK_QUEUES.analysis]: analysisActivities(env, world),
  }));

export function lastPage(): PageResult {
  return { done: true, totals: EMPTY_PAGE, nextCursor: null, stalled: false };
}

export const limited = (retryAfterMs: number) =>
  asFailure(new PlatformError('rate_limited', 'The platform has had too many requests (429).', { retryAfterMs }), 1);

const begunImport = (): BegunImport => ({
  plan: { kind: 'poll', source: 'platform', from: null, to: null, limit: null, patience: PATIENCE },
  standing: {
    cursor: null,
    listingEnded: false,
    pages: 0,
    counts: { ...NO_COUNTS },
    reasons: [],
    oldestOngoingAt: null,
  },
  paused: false,
});

function controlActivities(env: TestWorkflowEnvironment, world: ImportWorld): Partial<ControlActivities> {
  return {
    beginImport: async () => begunImport(),
    saveImport: async () => {},
    finishImport: async ({ status, reason }) => {
      world.finished.push({ status, reason });
    },
    waitingCalls: async () => world.waiting(),
    lookAtImport: async ({ importId, attempt, lostFor }) => {
      if (await isWorkflowOpen(env.client, importWorkflowId(importId, attempt))) return null;
      const end = { status: 'failed', reason: lostFor ?? 'gone' } as const;
      world.finished.push(end);
      return end;
    },
  };
}

function analysisActivities(env: TestWorkflowEnvironment, world: ImportWorld): Partial<AnalysisActivities> {
  return {
    lookForCalls: async ({ agentId }) => {
      world.polls.push(await env.currentTimeMs());
      const request = { importId: `poll-${agentId}-${world.polls.length}`, attempt: 1 };
      return { request, versionsTaken: false, heldUntil: null };
    },
    // It leaves all to the steps of the workflow, whose waits are what is looked at here.
    importAtOnce: async () => ({
      begun: begunImport(),
      versionsTaken: false,
      pages: [],
      analysed: null,
      isSettled: false,
    }),
    captureVersions: async () => ({ captured: 0 }),
    storeCallPage: ({ importId }) => world.page(importId),
    retryFailed: async () => ({ callIds: [], requeued: 0, resolved: 0, reasons: [], nextAfterId: null, wait: null }),
    analyseCalls: async ({ callIds }) => {
      world.analysed.push(...callIds);
      return { analysed: callIds.length, failed: 0, reasons: [], held: null, note: null };
    },
    regroup: async () => ({ issues: 0, changed: 0, withdrawn: 0 }),
  };
}
