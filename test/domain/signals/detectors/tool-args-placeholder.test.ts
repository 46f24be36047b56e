import { expect, test } from 'vitest';
import type { Json } from '../../../../src/domain/json.ts';
import { turnsOf } from './turns-of.ts';

const found = (name: Json) =>
  turnsOf('tool_args_placeholder', [
    { c: 'a hive please' },
    { call: 'order_hive', args: { name, size: 'large' } },
    { result: 'order_hive', body: { success: true } },
  ]);

test.each([
  'unknown',
  'Unknown',
  ' N/A ',
  'TBD',
  'null',
  'undefined',
  'not provided',
  'to be confirmed',
  '???',
  'xxx',
  '...',
  '<customer name>',
  '[name]',
  '{{name}}',
  '{name}',
])('a stand-in for a value is found: "%s"', (name) => {
  expect(found(name)).toEqual([2]);
});

test.each<[string, Json]>([
  ['a name', 'Ida Lund'],
  ['a name that looks odd', 'Null Okafor'],
  ['a name that holds one', 'Tobias Unknown-Berg'],
  ['nothing wanted', 'none'],
  ['an empty text', ''],
  ['an argument left out', null],
  ['a number', 0],
  ['a yes or no', false],
  ['two marks', 'xx'],
  ['a remark in brackets', 'beside the gate [not the front door]'],
  ['a long text', `<${'a'.repeat(90)}>`],
])('%s is a value: %j', (_, name) => {
  expect(found(name)).toEqual([]);
});

test('a call whose answer was not recorded is found where it was made', () => {
  expect(turnsOf('tool_args_placeholder', [{ c: 'a hive' }, { call: 'order_hive', args: { name: 'TBD' } }])).toEqual([
    1,
  ]);
});
