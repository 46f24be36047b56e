import { expect, test } from 'vitest';
import { chooseRange, daysOf, settledUntil } from '../../../src/domain/metrics/range.ts';

const span = { firstAt: '2026-01-01T09:00:00.000Z', newestAt: '2026-03-20T15:30:00.000Z' };
const now = '2026-06-01T00:00:00.000Z';
const asked = (range: '24h' | '7d' | '30d' | 'all' | null) => ({ range, from: null, to: null });

test('a range of days goes back from the newest call, and the period before it is as long', () => {
  expect(chooseRange(asked('7d'), span, now)).toEqual({
    range: '7d',
    window: { from: '2026-03-14T00:00:00.000Z', before: '2026-03-21T00:00:00.000Z' },
    previous: { from: '2026-03-07T00:00:00.000Z', before: '2026-03-14T00:00:00.000Z' },
  });
});

test('the last 24 hours end with the newest call', () => {
  expect(chooseRange(asked('24h'), span, now).window).toEqual({
    from: '2026-03-19T15:30:00.001Z',
    before: '2026-03-20T15:30:00.001Z',
  });
});

test('a call from the future counts as now', () => {
  const future = { ...span, newestAt: '2031-01-01T00:00:00.000Z' };
  expect(chooseRange(asked('7d'), future, now).window.before).toBe('2026-06-02T00:00:00.000Z');
  expect(settledUntil(future, now)).toBe('2026-05-25');
});

test('without a range it is 30 days, and all calls of an agent with fewer than 14 days of them', () => {
  expect(chooseRange(asked(null), span, now).range).toBe('30d');
  expect(chooseRange(asked(null), { ...span, firstAt: '2026-03-07T00:00:00.000Z' }, now).range).toBe('all');
  expect(chooseRange(asked(null), { firstAt: null, newestAt: null }, now).range).toBe('all');
});

test('a caller has had seven days once they have passed after the whole day of the call', () => {
  expect(settledUntil(span, now)).toBe('2026-03-13');
});

test('a window is whole days and what is left at its ends', () => {
  const days = (from: string, before: string) =>
    daysOf({ from: `2026-03-${from}:00.000Z`, before: `2026-03-${before}:00.000Z` });
  expect(days('01T00:00', '03T00:00')).toEqual({ whole: { first: '2026-03-01', last: '2026-03-02' }, parts: [] });
  expect(days('01T12:00', '03T06:00')).toEqual({
    whole: { first: '2026-03-02', last: '2026-03-02' },
    parts: [
      { from: '2026-03-01T12:00:00.000Z', before: '2026-03-02T00:00:00.000Z' },
      { from: '2026-03-03T00:00:00.000Z', before: '2026-03-03T06:00:00.000Z' },
    ],
  });
  expect(days('01T12:00', '02T06:00')).toEqual({
    whole: null,
    parts: [{ from: '2026-03-01T12:00:00.000Z', before: '2026-03-02T06:00:00.000Z' }],
  });
  expect(days('01T12:00', '01T12:00')).toEqual({ whole: null, parts: [] });
});

test('a range of its own is compared with the period of its length before', () => {
  const own = { range: null, from: '2026-03-10T00:00:00.000Z', to: '2026-03-12T00:00:00.000Z' };
  expect(chooseRange(own, span, now)).toEqual({
    range: 'custom',
    window: { from: own.from, before: own.to },
    previous: { from: '2026-03-08T00:00:00.000Z', before: own.from },
  });
  expect(chooseRange({ ...own, to: null }, span, now).range).not.toBe('custom');
});
