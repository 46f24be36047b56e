import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { DeliveryActivities } from '../../activities/index.ts';
import { judgeTry, type TryResult } from '../../src/domain/delivery/outcome.ts';
import { TRIED_FOR_MS, waitAfter } from '../../src/domain/delivery/schedule.ts';
import { DELIVER_WEBHOOK, DELIVERY_SIGNALS, type DeliveryInput } from '../../src/temporal/deliver-webhook.ts';
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts';
import { openSkippedTime, type SkippedTime } from '../support/skipped-time.ts';

const server = inject('timeSkippingServer');
const HOUR_MS = 3_600_000;
const DEAD: TryResult = { status: null, error: 'ci.example.com could not be reached.' };

describe.skipIf(server === null)('a webhook over days, on a server whose time is skipped', () => {
  let time: SkippedTime;
  let env: SkippedTime['env'];
  /** What the receiver answers to its nth try. */
  let answer: (nth: number) => TryResult;
  /** When each delivery was tried, in hours since its first try. */
  const tries = new Map<string, number[]>();

  beforeAll(async () => {
    time = await openSkippedTime(server, () => ({ [TASK_QUEUES.deliveries]: { deliverOnce } }));
    ({ env } = time);
  });
  afterAll(() => time?.close());

  /** The product's decisions, on the server's time instead of the database's. */
  const deliverOnce: DeliveryActivities['deliverOnce'] = async ({ deliveryId }) => {
    const nowMs = await env.currentTimeMs();
    const triedMs = tries.get(deliveryId) ?? [];
    triedMs.push(nowMs);
    tries.set(deliveryId, triedMs);
    const verdict = judgeTry(answer(triedMs.length));
    if (verdict.kind !== 'failed') return { state: 'ended', words: verdict.kind };
    const [beganAtMs = nowMs] = triedMs;
    const { retryAfterMs } = verdict;
    const waitMs = waitAfter({ deliveryId, tries: triedMs.length, beganAtMs, nowMs, retryAfterMs });
    return waitMs === null ? { state: 'ended', words: 'given up' } : { state: 'failed', waitMs, words: verdict.error };
  };

  const start = (deliveryId: string) =>
    env.client.workflow.start<(input: DeliveryInput) => Promise<void>>(DELIVER_WEBHOOK, {
      taskQueue: TASK_QUEUES.control,
      workflowId: deliveryId,
      args: [{ deliveryId, workspaceId: 'w', agentId: null, event: 'run.completed', again: 0 }],
    });
  const hours = (deliveryId: string) => {
    const triedMs = tries.get(deliveryId) ?? [];
    return triedMs.map((at) => (at - (triedMs[0] ?? 0)) / HOUR_MS);
  };

  test('a receiver that stays dead is tried for five days, and then no more', async () => {
    answer = () => DEAD;
    await (await start('dead')).result();
    const at = hours('dead');
    expect(at.length).toBeGreaterThan(12);
    expect(at.length).toBeLessThan(20);
    expect(at.at(-1)).toBeGreaterThanOrEqual(TRIED_FOR_MS / HOUR_MS);
    expect(at.at(-1)).toBeLessThan(TRIED_FOR_MS / HOUR_MS + 1);
  });

  test('a receiver that comes back after two days gets its message', async () => {
    answer = (nth) => (nth < 11 ? DEAD : { status: 200, retryAfterMs: null });
    await (await start('back')).result();
    expect(hours('back')).toHaveLength(11);
    expect(hours('back').at(-1)).toBeGreaterThan(48);
  });

  test('somebody who has it sent again ends a wait of many hours', async () => {
    answer = (nth) => (nth < 10 ? DEAD : { status: 200, retryAfterMs: null });
    const handle = await start('hurried');
    await env.sleep('20 hours');
    const before = hours('hurried').length;
    await handle.signal(DELIVERY_SIGNALS.tryNow);
    await env.sleep('1 minute');
    expect(hours('hurried')).toHaveLength(before + 1);
    await handle.result();
  });

  test('a receiver that asks to wait half a day is left alone for as long', async () => {
    answer = (nth) => (nth === 1 ? { status: 429, retryAfterMs: 12 * HOUR_MS } : { status: 200, retryAfterMs: null });
    await (await start('asks')).result();
    const [, second] = hours('asks');
    expect(second).toBeGreaterThanOrEqual(12);
    expect(second).toBeLessThan(13);
  });
});
