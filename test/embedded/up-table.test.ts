import { expect, test } from 'vitest';
import { table } from '../../cli/up-table.ts';

const HEADINGS = ['', 'Issue', 'Where', 'Calls'];
const ROW = { cells: ['1', 'A tool failed', 'find_slots', '31'], below: ['“service unavailable”'] };

test('numbers stand to the right, the quote under its row', () => {
  expect(table(HEADINGS, [ROW], 80)).toEqual([
    '     Issue          Where       Calls',
    '  1  A tool failed  find_slots     31',
    '     “service unavailable”',
  ]);
});

test('no line is wider than the screen: names and quotes are cut with a mark', () => {
  const long = { cells: ['1', 'x'.repeat(80), 'y'.repeat(60), '31'], below: ['z'.repeat(200)] };
  const lines = table(HEADINGS, [long], 60);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(lines[1]).toContain('x…');
  expect(lines[2]).toMatch(/z…$/);
});
