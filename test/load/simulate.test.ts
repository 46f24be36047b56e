import { expect, test } from 'vitest';
import { COSTS, type Installation, PARTS, simulateDay } from './simulate.ts';

const INSTALLATION: Installation = {
  agents: 100,
  agentsOfAnAccount: 25,
  callsADay: 1_440,
  pollSeconds: 60,
  peak: 1,
  processors: { Temporal: 1, PostgreSQL: 1, workers: 1 },
};

test('a steady day needs what its polls, calls and groupings cost', () => {
  const { needed, behindMinutes } = simulateDay(INSTALLATION);
  const grouped = 100 * (1 - Math.exp(-0.01));
  for (const part of PARTS) {
    const ms = 4 * COSTS.poll[part] + COSTS.call[part] + grouped * COSTS.grouping[part];
    expect(needed[part]).toBeCloseTo(ms / 60_000, 6);
  }
  expect(behindMinutes).toEqual({ Temporal: 0, PostgreSQL: 0, workers: 0 });
});

test('the nearest limit comes first, with the work that makes it', () => {
  const { limits } = simulateDay({ ...INSTALLATION, processors: { Temporal: 8, PostgreSQL: 16, workers: 0.1 } });
  expect(limits.map(({ part }) => part)).toEqual(['workers', 'Temporal', 'PostgreSQL']);
  expect(limits[0]).toMatchObject({ mostly: 'poll' });
  const busy = simulateDay({ ...INSTALLATION, callsADay: 144_000 });
  expect(busy.limits[0]).toMatchObject({ part: 'PostgreSQL', mostly: 'grouping' });
});

test('what a part does not get done in its busy hours waits, and more processors shorten it', () => {
  const busy = { ...INSTALLATION, callsADay: 200_000, peak: 2 };
  const few = simulateDay({ ...busy, processors: { ...INSTALLATION.processors, PostgreSQL: 0.4 } });
  const more = simulateDay({ ...busy, processors: { ...INSTALLATION.processors, PostgreSQL: 0.5 } });
  expect(few.behindMinutes.PostgreSQL).toBeGreaterThan(more.behindMinutes.PostgreSQL);
  expect(
    simulateDay({ ...busy, processors: { ...INSTALLATION.processors, PostgreSQL: 8 } }).behindMinutes.PostgreSQL,
  ).toBe(0);
});

test('a day has as many calls as it is given, however they fall', () => {
  const steady = simulateDay(INSTALLATION);
  const peaked = simulateDay({ ...INSTALLATION, peak: 2 });
  expect(peaked.logMbASecond).toBeCloseTo(2 * steady.logMbASecond, 6);
  expect(peaked.storedGbAYear).toBe(steady.storedGbAYear);
});
