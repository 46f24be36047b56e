import { describe, expect, test } from 'vitest';
import { mergeNear } from '../../../src/domain/calls/near-groups.ts';
import { requestTerms } from '../../../src/domain/calls/request-terms.ts';
import { pieceVectors } from '../../../src/domain/calls/text-vectors.ts';

/** Puts groups together; each list of requests is one group. @returns which group each of them ended in. */
function merged(groups: readonly (readonly string[])[], kept = 0): number[] {
  const terms = groups.flat().map((request) => requestTerms([request]));
  const numbers = groups.flatMap((list, at) => list.map(() => at));
  const found = mergeNear(terms, numbers, pieceVectors(terms.map(({ weights }) => weights)), kept);
  let from = 0;
  return groups.map((list) => {
    const own = new Set(found.slice(from, from + list.length));
    from += list.length;
    expect(own.size).toBe(1);
    return [...own][0] ?? -1;
  });
}

const CANCEL = ['I want to cancel my reservation', 'please cancel my reservation'];
const CANCEL_TOO = ['can you cancel my reservation', 'I would like to cancel the reservation'];
const CHANGE = ['I want to change my address', 'please change my address'];
const SPEAK = ['I want to speak to a person', 'can I speak to somebody'];
const SPEAK_OF_BILL = ['I need to speak to a manager about my bill', 'let me speak to the manager about the bill'];
const HOURS = ['what are your opening hours', 'when are you open'];

describe('groups that ask for the same', () => {
  test('become one, and the first of them stays', () => {
    expect(merged([CANCEL, HOURS, CANCEL_TOO])).toEqual([0, 1, 0]);
  });
  test('to speak to somebody become one, whoever it is', () => {
    expect(merged([SPEAK, SPEAK_OF_BILL, HOURS])).toEqual([0, 0, 2]);
  });
});

describe('groups stay apart', () => {
  test.each([
    ['where another thing is to be done', [CANCEL, CHANGE]],
    ['where one asks and the other acts', [HOURS, CANCEL]],
    ['where there is one alone', [CANCEL]],
    ['where there is none', []],
  ])('%s', (_, groups) => {
    expect(merged(groups)).toEqual(groups.map((_list, at) => at));
  });

  test('where both are kept', () => {
    expect(merged([CANCEL, CANCEL_TOO], 2)).toEqual([0, 1]);
    expect(merged([CANCEL, CANCEL_TOO], 1)).toEqual([0, 0]);
  });
});
