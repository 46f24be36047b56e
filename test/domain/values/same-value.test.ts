import { expect, test } from 'vitest';
import { compare } from '../../../src/domain/values/same-value.ts';
import type { ActValue } from '../../../src/domain/values/value.ts';

type Said = Pick<ActValue, 'kind' | 'slot' | 'forms'>;

const date = (...forms: string[]): Said => ({ kind: 'date', slot: 'date', forms });
const code = (form: string): Said => ({ kind: 'code', slot: 'code', forms: [form] });
const count = (...forms: string[]): Said => ({ kind: 'number', slot: 'count', forms });
const people = (form: string): Said => ({ kind: 'number', slot: 'count:people', forms: [form] });
const time = (...forms: string[]): Said => ({ kind: 'time', slot: 'time', forms });
const size = (form: string): Said => ({ kind: 'choice', slot: 'size', forms: [form] });

test.each<[string, Said, Said, string]>([
  ['a day and the same day of any month', date('day-26'), date('11-26'), 'same'],
  ['a day without a month and another day', date('day-25'), date('11-26'), 'other'],
  ['a date without a year and the same with one', date('11-26'), date('2026-11-26'), 'same'],
  ['one day of two years', date('2025-11-26'), date('2026-11-26'), 'other'],
  ['one day of two months', date('10-26'), date('11-26'), 'other'],
  ['two weekdays', date('weekday-2'), date('weekday-4'), 'other'],
  ['one weekday twice', date('weekday-2'), date('weekday-2'), 'same'],
  ['a weekday and a day of a month, which may be one', date('weekday-2'), date('day-26'), 'unrelated'],
  ['a weekday and a date without a year', date('weekday-2'), date('11-26'), 'unrelated'],
  ['a weekday and a whole date that is one', date('weekday-4'), date('2026-11-26'), 'same'],
  ['a weekday and a whole date that is none', date('weekday-1'), date('2026-11-26'), 'other'],
  ['one day said with two weekdays', date('weekday-4', 'day-26'), date('weekday-5', 'day-26'), 'other'],
  ['a weekday with its day and the weekday', date('weekday-4', 'day-26'), date('weekday-4'), 'same'],
  ['a date that may be read both ways and one of its readings', date('04-05', '05-04'), date('05-04'), 'same'],
])('%s', (_, a, b, relation) => {
  expect(compare(a, b)).toBe(relation);
  expect(compare(b, a)).toBe(relation);
});

test.each<[string, Said, Said, string]>([
  ['a time in either half of the day and one of both', time('0570', '1290'), time('1290'), 'same'],
  ['two times', time('0570'), time('1290'), 'other'],
  ['two sizes', size('small'), size('large'), 'other'],
  ['the same size', size('large'), size('large'), 'same'],
  ['guests and a number of anything', people('4'), count('4'), 'unrelated'],
  ['a size and a day', size('small'), date('weekday-2'), 'unrelated'],
  ['a code and its last three figures', code('4471903'), code('903'), 'same'],
  ['a code and its last two figures, which many codes end in', code('4471903'), code('03'), 'other'],
  ['a code and a part of it that is inside', code('4471903'), code('719'), 'same'],
  ['two codes with a figure between them', code('4471903'), code('4471908'), 'other'],
  ['a number read out figure by figure and written', code('142'), count('142'), 'same'],
  ['a number and another code', code('142'), count('124'), 'unrelated'],
])('%s', (_, a, b, relation) => {
  expect(compare(a, b)).toBe(relation);
  expect(compare(b, a)).toBe(relation);
});
