import { describe, expect, test } from 'vitest';
import { holdsWord, matterOf, sentencesOf, stem } from '../../../src/domain/watches/words.ts';

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
