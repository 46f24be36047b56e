import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { asLine } from '../../acts/talk.ts';
import { scripted } from '../../signals/scripted-call.ts';

const PROMPT =
  'You answer for Kennel Brook.\nA kennel night is 24 pounds, a cattery night 15 pounds. Grooming costs 30 pounds, claws 8 pounds. Puppies get 20 percent off.';

/** Turns in which a fact is told against the prompt. */
function wrongAt(lines: readonly string[], prompt: string | null = PROMPT): number[] {
  const talk = ['a: Kennel Brook, hello.', ...lines].map(asLine);
  return analyseCall(scripted(talk, { configuration: { prompt } }), {})
    .signals.filter(({ code }) => code === 'fact_contradicts_source')
    .map(({ turnIndex }) => turnIndex);
}

describe('a period of the prompt', () => {
  const LASTS = 'A vaccination certificate is valid for two years. Chips are free up to 48 hours before.';
  test.each([
    ['otherwise', 'a: A certificate is good for three years.', [2]],
    ['as it stands', 'a: A certificate is good for two years.', []],
    ['of something that it does not know', 'a: Our oldest dog stayed three years.', []],
    ['as what has passed', 'a: Your certificate was made three years ago.', []],
    ['as what is to come', 'a: Your certificate expires in three months.', []],
    ['as the time that was asked for', 'a: With a certificate for all three years, yes.', []],
  ])('is told %s', (_, line, turns) => {
    expect(wrongAt(['c: and the certificate', line], LASTS)).toEqual(turns);
  });
});

describe('an amount of the prompt', () => {
  test('is told wrongly', () => {
    expect(wrongAt(['c: what does grooming cost', 'a: Grooming is 42 pounds.', 'c: thanks'])).toEqual([2]);
  });

  test.each([
    ['is told as it stands', ['c: what does grooming cost', 'a: Grooming is thirty pounds.']],
    ['is told of two', ['c: I have two dogs for grooming', 'a: Grooming both is 60 pounds.']],
    ['is added to another one', ['c: two dogs, grooming for one and claws for both', 'a: With grooming, 46 pounds.']],
    ['has a share off', ['c: grooming for a puppy', 'a: Grooming a puppy is 24 pounds.']],
    ['was said by the caller', ['c: a friend of mine paid 42 for grooming', 'a: Grooming was 42 pounds once.']],
    ['is of something that the prompt does not price', ['c: what is a bath', 'a: A bath is 12 pounds.']],
    ['is asked', ['c: grooming please', 'a: Grooming for 42 pounds?']],
  ])('is not, where it %s', (_, lines) => {
    expect(wrongAt(lines)).toEqual([]);
  });

  describe('of a list of prices', () => {
    const LIST =
      'Prices in pounds: pass of one week 40, pass of four weeks 130, pass of ten weeks 300 (double pass 550), bath 9. A coach costs 4 pounds a week more. The house number is 16.';
    test.each([
      ['by what it counts', 'a: The ten week pass is two hundred and eighty pounds.'],
      ['by its own word', 'a: The bath is eleven pounds.'],
    ])('is told wrongly %s', (_, line) => {
      expect(wrongAt(['c: what does it cost', line], LIST)).toEqual([2]);
    });
    test.each([
      'a: The ten week pass is three hundred pounds.',
      'a: With a coach the week is forty-four pounds.',
      'a: A pass is fifty pounds.',
      'a: A double pass is 550 pounds.',
      'a: A bath for the house is 9 pounds.',
    ])('is not, in %s', (line) => {
      expect(wrongAt(['c: what does it cost', line], LIST)).toEqual([]);
    });
  });

  test('is not where no prompt is known', () => {
    expect(wrongAt(['c: what does grooming cost', 'a: Grooming is 42 pounds.'], null)).toEqual([]);
  });
});
