import { describe, expect, test } from 'vitest';
import { rulesIn, used } from './found.ts';

const told = (body: object, line: string) =>
  rulesIn([{ c: 'Where do I sit?' }, ...used('get_seat', {}, body), { a: line }]).filter(
    (rule) => rule === 'field_differs',
  );

test.each([
  ['the number of the field', { coach: 7 }, 'You are in coach seven.', []],
  ['another number', { coach: 7 }, 'You are in coach eleven.', ['field_differs']],
  ['another number before it', { windows: 3 }, 'It has five windows.', ['field_differs']],
  ['another number and the plural', { window: 3 }, 'It has five windows.', ['field_differs']],
  ['a number that another field holds', { coach: 7, seat: 11 }, 'You are in coach eleven.', []],
  ['a round number near it', { metres: 212 }, 'It is two hundred metres long.', []],
  ['a round number far from it', { metres: 260 }, 'It is two hundred metres long.', ['field_differs']],
  ['another number of something else', { coach: 7 }, 'The coach leaves, and you have eleven minutes.', []],
  ['a field that the result has twice', { parts: [{ coach: 7 }, { coach: 8 }] }, 'You are in coach eleven.', []],
  ['a field of a short name', { row: 7 }, 'You are in row eleven.', []],
  ['a field that holds no number', { coach: 'seven' }, 'You are in coach eleven.', []],
  ['a question', { coach: 7 }, 'Are you in coach eleven?', []],
])('beside the name of a field the agent says %s', (_, body, line, rules) => {
  expect(told(body, line)).toEqual(rules);
});

describe('one of several prices', () => {
  const RATES = { item: 'hedge trimmer', rates: { day: 26, weekend: 39, week: 104 }, deposit: 100 };
  const rules = (body: object, a: string) => rulesIn([{ c: 'What is it?' }, ...used('check_stock', {}, body), { a }]);

  test('is told for another', () => {
    expect(rules(RATES, 'The day rate is thirty-nine pounds plus VAT.')).toContain('sibling_told');
  });

  test.each([
    ['is told as it is', 'The day rate is twenty-six pounds.'],
    ['is told beside another', 'A day is twenty-six pounds and the weekend thirty-nine pounds.'],
    ['is told without its name', 'It is thirty-nine pounds.'],
  ])('%s', (_, line) => {
    expect(rules(RATES, line)).not.toContain('sibling_told');
  });

  test('is none where sums stand beside each other', () => {
    expect(rules({ fee: 12, total: 139 }, "It's changed, no fee, still $139.")).not.toContain('sibling_told');
  });

  test('is money beside the name of its field', () => {
    expect(rules(RATES, 'It comes with a fifty pound deposit.')).toContain('field_differs');
    expect(rules(RATES, 'It comes with a hundred pound deposit.')).not.toContain('field_differs');
  });
});
