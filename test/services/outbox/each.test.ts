import { describe, expect, test } from 'vitest';
import { each, pagesOf } from '../../../src/services/outbox/each.ts';

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });

describe('each', () => {
  test('has its turn, and what failed is told at the end, that of lists within lists too', async () => {
    const seen: string[] = [];
    const work = each(['a', 'b', 'c'], (outer) =>
      each([1, 2, 3], async (inner) => {
        seen.push(`${outer}${inner}`);
        if (inner === 2 && outer !== 'c') throw new Error(`${outer} is broken`);
      }),
    );
    await expect(work).rejects.toMatchObject({
      message: '2 could not be done.',
      errors: [{ message: 'a is broken' }, { message: 'b is broken' }],
    });
    expect(seen).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'c3']);
  });

  test('a server that is away ends it at once, as what comes next would fail in the same way', async () => {
    const seen: number[] = [];
    const work = each([1, 2], async (item) => {
      seen.push(item);
      throw new Error('not delivered', { cause: away });
    });
    await expect(work).rejects.toThrow('not delivered');
    expect(seen).toEqual([1]);
  });
});

test('all pages of a list are read, each after the last row of the one before', async () => {
  const rows = ['a', 'b', 'c', 'd', 'e'];
  const asked: (string | null)[] = [];
  const read = async (afterId: string | null) => {
    asked.push(afterId);
    const from = afterId === null ? 0 : rows.indexOf(afterId) + 1;
    return rows.slice(from, from + 2);
  };
  const got: string[] = [];
  for await (const row of pagesOf(read, { idOf: (row) => row, size: 2 })) got.push(row);
  expect(got).toEqual(rows);
  expect(asked).toEqual([null, 'b', 'd']);
});
