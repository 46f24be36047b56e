import { expect, test } from 'vitest';
import type { BenchResult } from '../measure.ts';
import { inserted, tableOf } from './all.ts';
import { told } from './compare.ts';

const result = (ours: number[], ok = true): BenchResult => ({
  metric: 'import',
  sizes: [100, 1_000],
  ours,
  baseline: [1, 2],
  ratio: [3, 4],
  exponent: null,
  counters: {},
  ok,
  misses: ok ? [] : ['The ratio 4 is above 2.'],
});

test('every metric has its row, with why it missed or stopped, and what was measured without a peer says so', () => {
  const goal = '2 | at most';
  const table = tableOf([
    { metric: 'import', goal, result: result([5, 6], false), load: 0.25 },
    { metric: 'spans', goal, result: { ...result([5, 6]), counters: { partial: 'no Phoenix' } }, load: 1 },
    { metric: 'limits', goal, result: { metric: 'limits', stopped: 'ended with 1 and no result' }, load: 1 },
  ]);
  expect(table.split('\n').slice(2)).toEqual([
    '| import | 100, 1000 | 5, 6 | 1, 2 | 3, 4 | 2 \\| at most | missed: The ratio 4 is above 2. | 0.3 |',
    '| spans | 100, 1000 | 5, 6 | 1, 2 | 3, 4 | 2 \\| at most | partial; met | 1.0 |',
    '| limits |  |  |  |  | 2 \\| at most | stopped: ended with 1 and no result | 1.0 |',
  ]);
});

test('the table takes the place of the one before and leaves the rest of the page', () => {
  const first = inserted('# Performance\n\nWords.\n', 'one');
  const second = inserted(first, 'two');
  expect(first).toMatch(/^# Performance\n\nWords\.\n\n## All metrics\n\n<!-- .* -->\none\n<!-- .* -->\n$/);
  expect(second).toBe(first.replace('one', 'two'));
});

test('a metric is slower by the median of its pairs at their largest size', () => {
  const pairs = [10, 30, 11].map((now) => [result([1, 10]), result([1, now])] as const);
  expect(told('import', pairs)).toEqual({
    line: 'SLOWER import: 1.1 × (10 → 10 ms, 10 → 30 ms, 10 → 11 ms)',
    isSlower: true,
  });
  expect(told('import', [[result([1, 10]), result([1, 8])]]).line).toContain('faster import: 0.8 ×');
  expect(told('import', [[result([1, 10]), { metric: 'import', stopped: 'ended' }]]).isSlower).toBe(true);
});
