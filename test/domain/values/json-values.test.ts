import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/domain/json.ts';
import { readLeaves } from '../../../src/domain/values/json-values.ts';

describe('the leaves of a tool result', () => {
  test.each<[string, Json, [path: string, name: string, value: unknown][]]>([
    [
      'a record',
      { id: 'A1', note: null, paid: true },
      [
        ['id', 'id', 'A1'],
        ['note', 'note', null],
        ['paid', 'paid', true],
      ],
    ],
    ['a record in a record', { guest: { age: 4 } }, [['guest.age', 'age', 4]]],
    [
      'a list bears the name of its field',
      { prices: [3, 5] },
      [
        ['prices.0', 'prices', 3],
        ['prices.1', 'prices', 5],
      ],
    ],
    ['a list of records', { rows: [{ fee: 2 }] }, [['rows.0.fee', 'fee', 2]]],
    ['JSON in a text', ' {"fee": 2}', [['fee', 'fee', 2]]],
    ['a text', 'All good', [['', '', 'All good']]],
    ['a text that only begins like JSON', '{fee: 2', [['', '', '{fee: 2']]],
    ['a text of brackets', '[see below]', [['', '', '[see below]']]],
    ['a number', 7, [['', '', 7]]],
    ['an empty record', {}, []],
    ['an empty list', [], []],
    ['empty lists within', { rows: [[], {}] }, []],
  ])('are those of %s', (_, body, leaves) => {
    expect(readLeaves(body).map(({ path, name, value }) => [path, name, value])).toEqual(leaves);
  });

  test('of a huge result are as many as of a large one', () => {
    const huge = Array.from({ length: 50_000 }, (_, at) => at);
    const large = huge.slice(0, 5000);
    expect(readLeaves(huge)).toEqual(readLeaves(large));
    expect(readLeaves(huge).length).toBeGreaterThan(1000);
  });

  test('of a result that goes on and on inside itself are those near its root', () => {
    let deep: Json = { bottom: true };
    for (let level = 0; level < 5000; level += 1) deep = { top: level, in: deep };
    const names = readLeaves(deep).map(({ name }) => name);
    expect(names).toContain('top');
    expect(names).not.toContain('bottom');
  });
});
