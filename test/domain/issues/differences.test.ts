import { describe, expect, test } from 'vitest';
import { type Compared, findDifferences, type ValueCount } from '../../../src/domain/issues/differences.ts';

const count = (value: string, affected: number, others: number): ValueCount => ({
  dimension: 'intent',
  value,
  affected,
  others,
});
const ALL: Compared = { affected: 100, others: 900 };
const values = (counts: ValueCount[], all = ALL) => findDifferences(counts, all).found.map(({ value }) => value);

describe('what sets the calls of an issue apart', () => {
  test('is told with both sides, the lift and its test', () => {
    const { tests, found } = findDifferences([count('billing', 40, 60)], ALL);
    expect(tests).toBe(1);
    expect(found).toEqual([
      {
        dimension: 'intent',
        value: 'billing',
        with: { k: 40, n: 100 },
        without: { k: 60, n: 900 },
        lift: { value: expect.closeTo(6, 5), lower: expect.any(Number), upper: expect.any(Number) },
        p: expect.any(Number),
        adjustedP: expect.any(Number),
      },
    ]);
    expect(found[0]?.adjustedP).toBe(found[0]?.p);
  });

  test('is what is clearly rarer among them too', () => {
    const [rarer] = findDifferences([count('billing', 5, 500)], ALL).found;
    expect(rarer?.lift.upper).toBeLessThan(1);
  });

  test.each([
    ['as common among the others', [count('billing', 10, 90)]],
    ['a little more common, which may be chance', [count('billing', 14, 90)]],
  ])('is nothing that is %s', (_, counts) => {
    expect(findDifferences(counts, ALL)).toEqual({ tests: 1, found: [] });
  });

  test.each([
    ['four calls that show it', { affected: 4, others: 900 }, 0],
    ['five calls that show it', { affected: 5, others: 900 }, 1],
    ['four that do not', { affected: 100, others: 4 }, 0],
    ['five that do not', { affected: 100, others: 5 }, 1],
  ])('is looked for from five calls a side: %s', (_, all, tests) => {
    expect(findDifferences([count('billing', 3, 3)], all).tests).toBe(tests);
  });

  test.each([
    ['four calls with the value', count('billing', 4, 0), 0],
    ['five', count('billing', 5, 0), 1],
    ['four without it', count('billing', 100, 896), 0],
    ['five without it', count('billing', 100, 895), 1],
  ])('is a value with five calls a side: %s', (_, one, tests) => {
    expect(findDifferences([one], ALL).tests).toBe(tests);
  });

  test('tests all values together: one that holds alone may not among many', () => {
    const alone = count('billing', 20, 100);
    const noise = Array.from({ length: 40 }, (_, at) => count(`noise ${at}`, 10, 90));
    expect(values([alone])).toEqual(['billing']);
    expect(values([alone, ...noise])).toEqual([]);
  });

  test('comes surest first, and of two as sure in the order of their names', () => {
    const [sure, surer] = [count('b', 30, 60), count('c', 40, 60)];
    expect(values([sure, surer])).toEqual(['c', 'b']);
    expect(values([count('z', 30, 60), count('a', 30, 60)])).toEqual(['a', 'z']);
  });
});
