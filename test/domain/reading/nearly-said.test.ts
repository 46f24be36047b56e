import { expect, test } from 'vitest';
import { isNearlySaid, isSaid } from '../../../src/domain/reading/prove-text.ts';

test.each([
  ['word for word', 'this call may be recorded', 'Hi, this call may be recorded.', true],
  ['with words between', 'this call may be recorded', 'This call, you know, may well be recorded', true],
  [
    'with too many words between',
    'this call may be recorded',
    'this call it is so that it well may be recorded',
    false,
  ],
  ['with one of ten words another', 'a b c d e f g h i j', 'a b c d e f x h i j', true],
  ['with two of ten words others', 'a b c d e f g h i j', 'a b c d e x y h i j', false],
  [
    'with another figure',
    'one to ten of our rooms are free on day 14',
    'one to ten of our rooms are free on day 15',
    false,
  ],
  ['in another order', 'a b c d e', 'e d c b a', false],
  ['at its second begin', 'we start the line now', 'we wait. We start the new line now', true],
  ['and has a part that each call fills in', 'hello {{name}} how are you', 'Hello Kim, how are you', true],
])('a wording is said %s', (_, wording, text, said) => {
  expect(isSaid(wording, text)).toBe(said);
});

const counted = (words: readonly string[]) => {
  let steps = 0;
  const looked = new Proxy(words, {
    get(target, name) {
      steps += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  return { looked, steps: () => steps };
};

test.each([
  ['other words', () => 'x', () => 'y'],
  ['one word', () => 'x', () => 'x'],
  ['the same words in another order', (at: number) => `w${at}`, (at: number) => `w${4000 - at}`],
])(
  'a long wording is compared with a long turn of %s in steps that grow with either, not with both',
  (_, wording, turn) => {
    const stepsFor = (count: number) => {
      const [wanted, words] = [wording, turn].map((word) =>
        counted(Array.from({ length: count }, (_, at) => word(at))),
      );
      if (wanted === undefined || words === undefined) throw new Error('There are two.');
      isNearlySaid(wanted.looked, words.looked);
      return wanted.steps() + words.steps();
    };
    expect(stepsFor(4000) / stepsFor(1000)).toBeLessThan(5);
  },
);
