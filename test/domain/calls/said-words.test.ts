import { describe, expect, test } from 'vitest';
import { findWords, type SoughtWords, wordQuery, wordsIn, wordVector } from '../../../src/domain/calls/said-words.ts';

const turn = (index: number, role: 'caller' | 'agent' | 'tool', text: string) => ({ index, role, text });
const sought = (words: string[], more: Partial<SoughtWords> = {}): SoughtWords => ({
  words,
  isBeginning: false,
  by: null,
  ...more,
});

describe('words that were said', () => {
  test('are runs of letters and digits, and single characters where a script has no spaces', () => {
    expect(wordsIn("Don't CANCEL Äpfel №5, 東京タワー ไทย!")).toEqual([
      'don',
      't',
      'cancel',
      'äpfel',
      '5',
      '東',
      '京',
      'タ',
      'ワ',
      'ー',
      'ไ',
      'ท',
      'ย',
    ]);
  });

  test('keep their places, their speaker, and a gap between turns', () => {
    const turns = [turn(0, 'agent', 'Cancel it?'), turn(1, 'caller', 'cancel'), turn(2, 'tool', 'cancel')];
    expect(wordVector(turns)).toBe("'cancel':1B,4A 'it':2B");
  });

  test('are asked for in their order, by who said them, as the beginning of a word', () => {
    expect(wordQuery(sought(['my', 'pla'], { isBeginning: true, by: 'caller' }))).toBe("'my':A <-> 'pla':*A");
  });

  test('are found with their turn and what stands around them', () => {
    const long = `${'well '.repeat(60)}cancel my plan ${'please '.repeat(60)}`;
    const turns = [turn(0, 'agent', 'Cancel my plans?'), turn(1, 'caller', long)];
    const found = findWords(turns, sought(['cancel', 'my', 'plan']));
    expect(found?.turn).toBe(1);
    expect(found?.text).toMatch(/^… .*cancel my plan.* …$/);
    expect(findWords(turns, sought(['my', 'pla'], { isBeginning: true }))).toEqual({
      turn: 0,
      text: 'Cancel my plans?',
    });
    expect(findWords(turns, sought(['my'], { by: 'caller' }))?.turn).toBe(1);
    expect(findWords(turns, sought(['plan', 'cancel']))).toBeNull();
  });
});
