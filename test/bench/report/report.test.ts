import { expect, test } from 'vitest';
import type { BenchResult } from '../measure.ts';
import { type Row, withRow } from './all.ts';
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

const page = '# Performance\n\nWords.\n';
const row = (metric: string, result: Row['result']): Row => ({
  metric,
  goal: '2 | at most',
  result,
  load: 0.25,
  taken: '2026-11-23',
});
const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('| ') && line.includes('2026'));

test('every metric has its row, with why it missed or stopped, and what was measured without a peer says so', () => {
  const rows = [
    row('limits', { metric: 'limits', stopped: 'ended with 1 and no result' }),
    row('import', result([5, 6], false)),
    row('spans', { ...result([5, 6]), counters: { partial: 'no Phoenix' } }),
  ];
  expect(rowsOf(rows.reduce(withRow, page))).toEqual([
    '| import | 100, 1000 | 5, 6 | 1, 2 | 3, 4 | 2 \\| at most | missed: The ratio 4 is above 2. | 0.3 | 2026-11-23 |',
    '| limits |  |  |  |  | 2 \\| at most | stopped: ended with 1 and no result | 0.3 | 2026-11-23 |',
    '| spans | 100, 1000 | 5, 6 | 1, 2 | 3, 4 | 2 \\| at most | not compared (no Phoenix); met | 0.3 | 2026-11-23 |',
  ]);
});

test('a row takes the place of the one before of its metric and leaves the rest of the page', () => {
  const before = [row('import', result([5, 6])), row('limits', result([1, 1]))].reduce(withRow, page);
  const after = withRow(before, row('import', result([7, 8])));
  expect(before).toMatch(/^# Performance\n\nWords\.\n\n## All metrics\n\n<!-- .* -->\n[^]*<!-- .* -->\n$/);
  expect(after).toBe(before.replace('5, 6', '7, 8'));
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
