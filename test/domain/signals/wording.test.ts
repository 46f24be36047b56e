import { describe, expect, test } from 'vitest';
import { checkWording, type WordingTask } from '../../../src/domain/signals/wording.ts';

const task: WordingTask = {
  kind: 'intent',
  subjectId: 'one',
  digest: '',
  words: 'book table',
  mustName: null,
  samples: ['I want to book a table for two.', 'Do you have a table tonight?'],
  facts: [],
  asks: 0,
};
const fix: WordingTask = { ...task, kind: 'recommendation', mustName: 'book_table' };
const answer = (text: string, sample = 1, quote = 'book a table') => ({ text, sample, quote });

describe('words of a model stand on an exact part of the sample that they name', () => {
  test.each([
    ['the sample that holds it', 1, 'book a table', true],
    ['another sample', 2, 'book a table', false],
    ['a sample that was not shown', 3, 'book a table', false],
    ['no sample', 0, 'book a table', false],
    ['other letters', 1, 'Book a table', false],
    ['nothing', 1, '  ', false],
  ])('%s', (_, sample, quote, holds) => {
    expect(checkWording(task, answer('Table bookings', sample, quote))).toBe(holds ? 'Table bookings' : null);
  });
});

describe('a name of an intent', () => {
  test.each([
    ['Table bookings', 'Table bookings'],
    ['  Table\n bookings\u200b ', 'Table bookings'],
    ["Driver's licence & forms", "Driver's licence & forms"],
    ['Öffnungszeiten', 'Öffnungszeiten'],
    ['Tab', null],
    ['Table bookings.', null],
    ['<b>Tables</b>', null],
    ['T'.repeat(60), 'T'.repeat(60)],
    ['T'.repeat(61), null],
    ['', null],
  ])('%j becomes %j', (text, name) => {
    expect(checkWording(task, answer(text))).toBe(name);
  });
});

describe('a recommendation names what to change and leads nowhere', () => {
  test.each([
    ['Give book_table a longer time.', true],
    ['Give BOOK_TABLE a longer time.', true],
    ['Give the tool a longer time.', false],
    ['See https://example.com about book_table.', false],
    ['See www.example.com about book_table.', false],
    ['Write mailto://me about book_table.', false],
  ])('%s', (text, holds) => {
    expect(checkWording(fix, answer(text))).toBe(holds ? text : null);
  });

  test('and without a thing to name none holds', () => {
    expect(checkWording({ ...fix, mustName: null }, answer('Give book_table a longer time.'))).toBeNull();
  });
});
