import { describe, expect, test } from 'vitest';
import { isToBeOff, OFF_AFTER_MS, TRIED_FOR_MS, waitAfter } from '../../../src/domain/delivery/schedule.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ID = '019d1f4e-6a10-7c3e-9b1a-2f6d0c4e8a12';
const failed = { deliveryId: ID, tries: 1, beganAtMs: 0, nowMs: 0, retryAfterMs: null };

/** Every try of a delivery that fails at once each time, as milliseconds since its event. */
function triesOf(deliveryId: string, retryAfterMs: number | null = null): number[] {
  const triedMs = [0];
  for (;;) {
    const nowMs = triedMs.at(-1) ?? 0;
    const waitMs = waitAfter({ deliveryId, tries: triedMs.length, beganAtMs: 0, nowMs, retryAfterMs });
    if (waitMs === null) return triedMs;
    triedMs.push(nowMs + waitMs);
    if (triedMs.length > 1_000) throw new Error('It is never given up.');
  }
}

describe('a delivery that does not get through', () => {
  test('is tried again in seconds, minutes, hours and days, with gaps that grow', () => {
    const tries = triesOf(ID);
    const gaps = tries.slice(1).map((at, nth) => at - (tries[nth] ?? 0));
    const whole = gaps.slice(0, -1);
    expect(whole).toEqual(whole.toSorted((a, b) => a - b));
    const nominal = [5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((s) => s * 1_000);
    for (const [nth, gap] of nominal.entries()) {
      expect(gaps[nth]).toBeGreaterThanOrEqual(gap);
      expect(gaps[nth]).toBeLessThanOrEqual(gap * 1.1);
    }
  });

  test('is given up after its last try, which comes when five days and an hour have passed', () => {
    const tries = triesOf(ID);
    expect(tries.at(-1)).toBe(TRIED_FOR_MS);
    expect(tries.length).toBeGreaterThan(12);
    expect(tries.length).toBeLessThan(20);
  });

  test('is tried at the same times on every machine, and not together with others', () => {
    expect(triesOf(ID)).toEqual(triesOf(ID));
    const seconds = Array.from({ length: 50 }, (_, at) => triesOf(`another ${at}`)[4]);
    expect(new Set(seconds).size).toBeGreaterThan(40);
  });

  test('is left alone for as long as the receiver asks, but for no longer than a day', () => {
    expect(waitAfter({ ...failed, retryAfterMs: HOUR_MS })).toBe(HOUR_MS);
    expect(waitAfter({ ...failed, retryAfterMs: 365 * DAY_MS })).toBe(DAY_MS);
    expect(waitAfter({ ...failed, retryAfterMs: 0 })).toBeGreaterThanOrEqual(5_000);
  });

  test('keeps to what the receiver asks also for its last try, and still comes to an end', () => {
    const nowMs = TRIED_FOR_MS - HOUR_MS;
    expect(waitAfter({ ...failed, tries: 14, nowMs, retryAfterMs: 3 * HOUR_MS })).toBe(3 * HOUR_MS);
    expect(waitAfter({ ...failed, tries: 15, nowMs: nowMs + 3 * HOUR_MS, retryAfterMs: HOUR_MS })).toBeNull();
    expect(triesOf(ID, DAY_MS).length).toBeLessThan(10);
  });
});

describe('an address', () => {
  test('is switched off after five days without one success', () => {
    expect(isToBeOff(0, OFF_AFTER_MS - 1)).toBe(false);
    expect(isToBeOff(0, OFF_AFTER_MS)).toBe(true);
  });

  test('is switched off by the last try of the first delivery that failed, not left as it is', () => {
    const firstFailureMs = 20_000;
    expect(isToBeOff(firstFailureMs, triesOf(ID).at(-1) ?? 0)).toBe(true);
  });
});
