import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { AnalysisActivities } from '../../activities/index.ts';
import { asFailure } from '../../activities/shared/failures.ts';
import { planGrace } from '../../src/domain/issues/grace-plan.ts';
import {
  GRACE,
  GRACE_PROGRESS,
  GRACE_SIGNALS,
  type GraceInput,
  type GraceProgress,
  graceId,
} from '../../src/temporal/grace-period.ts';
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts';
import { openSkippedTime, type SkippedTime } from '../support/skipped-time.ts';

const server = inject('timeSkippingServer');
const DAY_MS = 86_400_000;

/** The issues of one agent as the record would hold them, and a database whose clock may differ from Temporal's. */
interface Record {
  dueMs: Map<string, number>;
  resolvedAtMs: Map<string, number>;
  databaseAheadMs: number;
  looks: number;
  gone: boolean;
  /** Looks from now on that fail for good. */
  failing: number;
}

const record = (): Record => ({
  dueMs: new Map(),
  resolvedAtMs: new Map(),
  databaseAheadMs: 0,
  looks: 0,
  gone: false,
  failing: 0,
});

describe.skipIf(server === null)('grace periods of days, on a server whose time is skipped', () => {
  let time: SkippedTime;
  let env: SkippedTime['env'];
  const records = new Map<string, Record>();

  beforeAll(async () => {
    time = await openSkippedTime(server, (of) => {
      const activities: Pick<AnalysisActivities, 'applyDueIssues'> = {
        applyDueIssues: async ({ agentId }) => look(records.get(agentId) ?? record(), await of.currentTimeMs()),
      };
      return { [TASK_QUEUES.analysis]: activities };
    });
    ({ env } = time);
  });
  afterAll(() => time?.close());

  const start = (agentId: string) =>
    env.client.workflow.start<(input: GraceInput) => Promise<void>>(GRACE, {
      taskQueue: TASK_QUEUES.control,
      workflowId: graceId(agentId),
      args: [{ agentId, workspaceId: 'w' }],
    });

  test('ten thousand issues due on ten days cost one timer at a time, and each is resolved on its day', async () => {
    const issues = record();
    records.set('many', issues);
    const from = await env.currentTimeMs();
    for (let at = 0; at < 10_000; at += 1) issues.dueMs.set(`issue ${at}`, from + (1 + (at % 10)) * 7 * DAY_MS);
    const handle = await start('many');
    await env.sleep('71 days');
    expect(issues.resolvedAtMs.size).toBe(10_000);
    const latest = [...issues.resolvedAtMs].map(([id, atMs]) => atMs - (issues.dueMs.get(id) ?? 0));
    expect(Math.min(...latest.slice(0, 100))).toBeGreaterThanOrEqual(0);
    expect(latest.reduce((most, late) => Math.max(most, late), 0)).toBeLessThan(60_000);
    expect(issues.looks).toBeLessThanOrEqual(12);
    expect((await handle.describe()).historyLength).toBeLessThan(200);
    await handle.terminate();
  });

  test('a look that fails for good is shown with its reason, and comes again an hour later', async () => {
    const issues = record();
    records.set('failing', issues);
    issues.failing = 1;
    issues.dueMs.set('a', await env.currentTimeMs());
    const handle = await start('failing');
    await env.sleep('30 minutes');
    expect(issues.resolvedAtMs.size).toBe(0);
    const shown = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    expect(shown.currentDetails).toBe(
      '**Failed: An error of Earshot stopped the look (TypeError: broken). It is tried again within an hour.**',
    );
    await env.sleep('31 minutes');
    expect(issues.resolvedAtMs.size).toBe(1);
    await handle.terminate();
  });

  test('a date that evidence moves away is kept to, and one that a setting brings near too', async () => {
    const issues = record();
    records.set('moved', issues);
    const from = await env.currentTimeMs();
    issues.dueMs.set('a', from + 7 * DAY_MS);
    const handle = await start('moved');
    await env.sleep('6 days');
    issues.dueMs.set('a', from + 13 * DAY_MS);
    await handle.signal(GRACE_SIGNALS.moved);
    await env.sleep('2 days');
    expect(issues.resolvedAtMs.size).toBe(0);
    expect(await handle.query<GraceProgress>(GRACE_PROGRESS)).toMatchObject({
      plan: { open: 1, due: [{ issueId: 'a' }] },
    });
    issues.dueMs.set('a', from + 9 * DAY_MS);
    await handle.signal(GRACE_SIGNALS.moved);
    await env.sleep('2 days');
    expect(issues.resolvedAtMs.get('a')).toBeGreaterThanOrEqual(from + 9 * DAY_MS);
    expect(issues.resolvedAtMs.get('a')).toBeLessThan(from + 9 * DAY_MS + 60_000);
    await handle.terminate();
  });

  test.each([
    ['behind', -3_600_000],
    ['ahead of', 3_600_000],
  ])('a database whose clock is an hour %s decides all the same', async (_side, databaseAheadMs) => {
    const agentId = `clock ${databaseAheadMs}`;
    const issues = { ...record(), databaseAheadMs };
    records.set(agentId, issues);
    const due = (await env.currentTimeMs()) + databaseAheadMs + 2 * DAY_MS;
    issues.dueMs.set('a', due);
    const handle = await start(agentId);
    await env.sleep('3 days');
    expect(issues.resolvedAtMs.get('a')).toBeGreaterThanOrEqual(due);
    expect(issues.resolvedAtMs.get('a')).toBeLessThan(due + 60_000);
    expect(issues.looks).toBeLessThanOrEqual(3);
    await handle.terminate();
  });

  test('told a thousand times, it continues as new and forgets nothing', async () => {
    const issues = record();
    records.set('told', issues);
    const due = (await env.currentTimeMs()) + 5 * DAY_MS;
    issues.dueMs.set('a', due);
    const handle = await start('told');
    for (let round = 0; round < 250; round += 1) {
      await handle.signal(GRACE_SIGNALS.moved);
      const before = issues.looks;
      for (let tries = 0; tries < 400 && issues.looks === before; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    const last = env.client.workflow.getHandle(graceId('told'));
    expect((await last.describe()).runId).not.toBe(handle.firstExecutionRunId);
    await env.sleep('6 days');
    expect(issues.resolvedAtMs.get('a')).toBeGreaterThanOrEqual(due);
    await last.terminate();
  });

  test('it ends with its agent', async () => {
    const issues = record();
    records.set('leaving', issues);
    issues.dueMs.set('a', (await env.currentTimeMs()) + DAY_MS);
    const handle = await start('leaving');
    issues.gone = true;
    await handle.signal(GRACE_SIGNALS.moved);
    await handle.result();
  });
});

function look(issues: Record, temporalMs: number) {
  const nowMs = temporalMs + issues.databaseAheadMs;
  issues.looks += 1;
  if (issues.failing > 0) {
    issues.failing -= 1;
    throw asFailure(new TypeError('broken'), 4);
  }
  let changed = 0;
  for (const [id, dueMs] of issues.dueMs) {
    if (dueMs > nowMs || issues.resolvedAtMs.has(id)) continue;
    issues.resolvedAtMs.set(id, nowMs);
    changed += 1;
  }
  const open = [...issues.dueMs]
    .filter(([id]) => !issues.resolvedAtMs.has(id))
    .map(([issueId, untilMs]) => ({ issueId, title: issueId, wait: { for: 'time', untilMs } as const }));
  return { there: !issues.gone, now: new Date(nowMs).toISOString(), changed, plan: planGrace(open, []) };
}
