import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../../src/ids.ts';
import { lastSlotMs, offsetOf } from '../../workflows/account-poller/next-look.ts';

const MINUTE_MS = 60_000;
const NOW_MS = Date.parse('2026-11-26T05:00:00Z');

test('the turn of an account comes once an interval, at the same place of it, whenever it was looked at', () => {
  fc.assert(
    fc.property(
      fc.nat(86_400_000),
      fc.integer({ min: 1_000, max: 3_600_000 }),
      fc.nat(0xfffffff),
      (late, interval, offset) => {
        const slot = lastSlotMs(NOW_MS + late, interval, offset);
        expect(slot).toBeLessThanOrEqual(NOW_MS + late);
        expect(slot + interval).toBeGreaterThan(NOW_MS + late);
        expect(lastSlotMs(slot + interval, interval, offset)).toBe(slot + interval);
        expect((slot - offset) % interval).toBe(0);
      },
    ),
  );
});

test('accounts that an outage had looked at together spread over the interval', () => {
  const looked = Array.from(
    { length: 1_000 },
    () => lastSlotMs(NOW_MS, MINUTE_MS, offsetOf(newId())) + MINUTE_MS - NOW_MS,
  );
  const tenths = Map.groupBy(looked, (ms) => Math.floor((ms - 1) / (MINUTE_MS / 10)));
  for (let at = 0; at < 10; at += 1) expect(tenths.get(at)?.length ?? 0).toBeGreaterThan(50);
});
