import { expect, test } from 'vitest';
import { askAtRate, summaryOf, type TimedAnswer } from './open-loop.ts';

const answer = (ms: number, over: Partial<TimedAnswer> = {}): TimedAnswer => ({
  name: 'calls',
  status: 200,
  retryAfter: null,
  ms,
  ...over,
});

test('requests are sent although none before them was answered', async () => {
  const asked: number[] = [];
  const all = Promise.withResolvers<void>();
  const load = await askAtRate(1_000, 0.02, async (nth) => {
    asked.push(nth);
    if (asked.length === 20) all.resolve();
    await all.promise;
    return { name: 'calls', status: 200, retryAfter: null };
  });
  expect(load.mostAtOnce).toBe(20);
  expect(load.answers).toHaveLength(20);
});

test('times are those of answers alone, and what was refused or failed is counted', () => {
  const answers = [
    ...Array.from({ length: 100 }, (_, at) => answer(100 - at)),
    answer(9_000, { status: 429, retryAfter: '3' }),
    answer(9_000, { status: 429, retryAfter: '0' }),
    answer(9_000, { status: 429 }),
    answer(9_000, { status: 503 }),
    answer(9_000, { status: 0 }),
  ];
  expect(summaryOf(answers)).toEqual({
    asked: 105,
    answered: 100,
    refused: 3,
    failed: 2,
    p50: 50,
    p95: 95,
    p99: 99,
    withoutRetryAfter: 2,
  });
});

test('where nothing was answered there are no times', () => {
  expect(summaryOf([answer(5, { status: 0 })])).toMatchObject({ p50: null, p99: null, failed: 1 });
});
