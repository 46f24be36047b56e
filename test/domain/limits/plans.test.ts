import { describe, expect, test } from 'vitest';
import { allowancesOf, allowanceWait, changeAllowances, periodOf } from '../../../src/domain/limits/plans.ts';
import type { Plan } from '../../../src/domain/vocabulary.ts';

test.each([
  ['free_org', [200, 1, 20, 10, 2]],
  ['starter', [1500, 3, 100, 50, 3]],
  ['growth', [5000, 10, 300, 200, 10]],
  ['scale', [15_000, 25, 600, 500, 20]],
  ['enterprise', [null, null, null, null, null]],
] as const)('%s includes what its column of the price list says', (plan, numbers) => {
  const { analysedCalls, agents, copilotMessages, testCalls, seats, aiAllowanceUsd } = allowancesOf(plan, {});
  expect([analysedCalls, agents, copilotMessages, testCalls, seats]).toEqual(numbers);
  expect(aiAllowanceUsd).toBeNull();
});

describe('what an owner sets', () => {
  test('holds in place of what the plan includes, down to nothing at all', () => {
    expect(allowancesOf('enterprise', { agents: 0 })).toMatchObject({ agents: 0, testCalls: null });
  });

  test('is taken back with null', () => {
    const before = { plan: 'starter', set: { agents: 5, testCalls: 7 } } as const;
    expect(changeAllowances(before, { allowances: { agents: null } })).toEqual({
      plan: 'starter',
      set: { testCalls: 7 },
    });
  });

  test('goes with the plan it was set on, but for the AI allowance', () => {
    const before = { plan: 'enterprise', set: { agents: 1, aiAllowanceUsd: 20 } } as const;
    expect(changeAllowances(before, { plan: 'growth' })).toEqual({ plan: 'growth', set: { aiAllowanceUsd: 20 } });
    expect(changeAllowances(before, { plan: 'growth', allowances: { agents: 2 } }).set).toEqual({
      agents: 2,
      aiAllowanceUsd: 20,
    });
    expect(changeAllowances(before, { plan: 'enterprise' }).set).toEqual(before.set);
  });
});

test.each<[string, Plan, string, string, string, string]>([
  [
    'the calendar month on Free',
    'free_org',
    '2026-01-20T08:00:00Z',
    '2026-03-10T00:00:00Z',
    '2026-03-01',
    '2026-04-01',
  ],
  ['its first moment', 'free_org', '2026-01-20T08:00:00Z', '2026-03-01T00:00:00Z', '2026-03-01', '2026-04-01'],
  ['its last', 'free_org', '2026-01-20T08:00:00Z', '2026-12-31T23:59:59Z', '2026-12-01', '2027-01-01'],
  [
    'a month from the day of the plan',
    'growth',
    '2026-01-20T00:00:00Z',
    '2026-03-25T00:00:00Z',
    '2026-03-20',
    '2026-04-20',
  ],
  ['before that day', 'growth', '2026-01-20T00:00:00Z', '2026-03-19T00:00:00Z', '2026-02-20', '2026-03-20'],
  ['over a year’s end', 'scale', '2026-12-15T00:00:00Z', '2027-01-02T00:00:00Z', '2026-12-15', '2027-01-15'],
  ['a month without a 31st', 'starter', '2026-01-31T00:00:00Z', '2026-03-01T00:00:00Z', '2026-02-28', '2026-03-31'],
  ['a leap February', 'starter', '2028-01-31T00:00:00Z', '2028-02-29T00:00:00Z', '2028-02-29', '2028-03-31'],
  [
    'the moment at which the plan began',
    'starter',
    '2026-01-31T00:00:00Z',
    '2026-01-31T00:00:00Z',
    '2026-01-31',
    '2026-02-28',
  ],
])('the period is %s', (_name, plan, since, now, startsAt, endsAt) => {
  const period = periodOf(plan, new Date(since), new Date(now));
  expect([period.startsAt.toISOString(), period.endsAt.toISOString()]).toEqual([
    `${startsAt}T00:00:00.000Z`,
    `${endsAt}T00:00:00.000Z`,
  ]);
});

test('each moment lies in its period, and periods meet without a gap', () => {
  const since = new Date('2026-01-31T17:45:12.345Z');
  let now = since;
  for (let months = 0; months < 60; months += 1) {
    const period = periodOf('scale', since, now);
    expect(period.startsAt <= now && now < period.endsAt).toBe(true);
    expect(periodOf('scale', since, new Date(period.endsAt.getTime() - 1))).toEqual(period);
    expect(periodOf('scale', since, period.endsAt).startsAt).toEqual(period.endsAt);
    now = period.endsAt;
  }
});

test.each([
  [1, 'waits for the analysed-call allowance until 1 December: 1 call'],
  [212, 'waits for the analysed-call allowance until 1 December: 212 calls'],
])('%i calls over the allowance', (calls, words) => {
  expect(allowanceWait(calls, new Date('2026-12-01T00:00:00.000Z')).replace(/, \d\d:\d\d UTC/, '')).toBe(words);
});
