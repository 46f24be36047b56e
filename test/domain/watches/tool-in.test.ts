import { describe, expect, test } from 'vitest';
import type { ToolDefinition } from '../../../src/domain/versions/configuration.ts';
import { toolsIn } from '../../../src/domain/watches/tool-in.ts';
import { holdsWord, matterOf, sentencesOf, stem } from '../../../src/domain/watches/words.ts';
import { toolNamed } from '../../support/played.ts';

const tool = (name: string, kind: ToolDefinition['kind'] = 'other') => toolNamed(name, { kind });
const TOOLS = [
  tool('book'),
  tool('book_table'),
  tool('cancelBooking'),
  tool('find_table'),
  tool('find_guest'),
  tool('transfer_to_host', 'transfer'),
];

describe('the tools that a piece of a rule means', () => {
  test.each<[text: string, names: string[]]>([
    ['call book_table', ['book_table']],
    ['calling BOOK_TABLE!', ['book_table']],
    ['the book table tool', ['book_table']],
    ['call book', ['book']],
    ['call cancelBooking', ['cancelBooking']],
    ['the cancel booking tool', ['cancelBooking']],
    ['find_guest and find_table', ['find_table', 'find_guest']],
    ['transfer_to_host', ['transfer_to_host']],
    // By a verb with which one tool alone begins.
    ['cancelling it', ['cancelBooking']],
    // Of two that begin so, nobody can tell which.
    ['finding something', []],
    // Handing over has rules of its own.
    ['transferring the call', []],
    ['a notebook', []],
    ['', []],
  ])('"%s"', (text, names) => {
    expect(toolsIn(text, TOOLS).map(({ name }) => name)).toEqual(names);
  });
});

describe('words in whatever form', () => {
  test.each([
    ['refund', ['refunds', 'refunded', 'refunding']],
    ['cancel', ['cancelled', 'cancellation', 'cancellations', 'cancels']],
    ['plan', ['plans', 'planned', 'planning']],
    ['name', ['names', 'named', 'naming']],
    ['pay', ['pays', 'paying', 'payment', 'payments']],
    ['box', ['boxes']],
    ["guest's", ['guest', 'guests']],
  ])('%s', (word, forms) => {
    for (const form of forms) expect(stem(form)).toBe(stem(word));
  });

  test.each([
    ['book', 'look'],
    ['date', 'data'],
    ['price', 'prize'],
    ['string', 'sting'],
    ['his', 'this'],
  ])('%s is not %s', (one, other) => {
    expect(stem(one)).not.toBe(stem(other));
  });

  test('a sentence holds one of them whole, not as a part', () => {
    expect(holdsWord('We refunded it.', ['refund'])).toBe(true);
    expect(holdsWord('It is non-refundable.', ['fund'])).toBe(false);
    expect(holdsWord('', ['refund'])).toBe(false);
    expect(holdsWord('We refunded it.', [])).toBe(false);
  });

  test('little words carry no matter', () => {
    expect(matterOf("Always ask the caller for their phone number, a 'PIN' and x.")).toEqual([
      'ask',
      'phone',
      'number',
      'pin',
    ]);
    expect(matterOf('to the caller, please')).toEqual([]);
  });

  test.each([
    ['One. Two!? Three', ['One.', 'Two!?', 'Three']],
    ['First line\nsecond line', ['First line', 'second line']],
    ['', []],
  ])('sentences of %j keep their own text', (text, sentences) => {
    expect(sentencesOf(text)).toEqual(sentences);
  });
});
