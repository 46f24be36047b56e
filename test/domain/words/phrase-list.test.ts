import { describe, expect, test } from 'vitest';
import { compilePhrases } from '../../../src/domain/words/phrase-list.ts';

const find = (phrases: Record<string, readonly string[]>, said: string) => compilePhrases(phrases)(said.split(' '));

describe('phrases in a row of words', () => {
  test('a phrase is found whichever of its many small words are left out', () => {
    const small = Array.from({ length: 30 }, (_, at) => `small${at}`);
    const phrase = ['begin', ...small.map((word) => `[${word}/other${word}]`), 'end'].join(' ');
    const matcher = compilePhrases({ long: [phrase] });
    for (const kept of [small, [], small.slice(3, 9), ['small1', 'othersmall29']]) {
      const words = ['begin', ...kept, 'end'];
      expect(matcher(words)).toEqual([{ list: 'long', from: 0, to: words.length }]);
    }
    expect(matcher(['begin', 'small2', 'small1', 'end'])).toEqual([]);
  });

  test('a gap passes over as many words as it says and no more, and a word has to follow', () => {
    const lists = { asked: ['call ~2 back'] };
    expect(find(lists, 'call back')).toEqual([{ list: 'asked', from: 0, to: 2 }]);
    expect(find(lists, 'call me please back')).toEqual([{ list: 'asked', from: 0, to: 4 }]);
    expect(find(lists, 'call me again please back')).toEqual([]);
    expect(find(lists, 'call me please')).toEqual([]);
  });

  test('of the phrases of one list that begin at a word the longest is found, and each list for itself', () => {
    const lists = { no: ['not', 'not [at] all ~1 now'], other: ['not at'] };
    expect(find(lists, 'not at all right now')).toEqual([
      { list: 'no', from: 0, to: 5 },
      { list: 'other', from: 0, to: 2 },
    ]);
  });
});
