import { describe, expect, test } from 'vitest';
import {
  findWords,
  SEARCHED_AT_MOST,
  type SoughtWords,
  wordQuery,
  wordsIn,
  wordVector,
} from '../../../src/domain/calls/said-words.ts';

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

  test('are kept as far as a vector can hold them', () => {
    const words = Array.from({ length: 19_000 }, (_, at) => String(at).padEnd(60, 'x'));
    const vector = wordVector([turn(0, 'caller', words.join(' ')), turn(1, 'agent', 'end')]);
    expect(new TextEncoder().encode(vector).length).toBeLessThan(1_048_575);
    expect(vector).toContain(`'${words[0]}':1A`);
  });

  test('are asked for in their order, by who said them, as the beginning of a word', () => {
    expect(wordQuery(sought(['my', 'pla'], { isBeginning: true, by: 'caller' }))).toBe("'my':A <-> 'pla':*A");
  });

  test('are found with their turn and what stands around them', () => {
    const long = `${'well '.repeat(60)}cancel my plan ${'please '.repeat(60)}`;
    const turns = [turn(0, 'agent', 'Cancel my plans?'), turn(1, 'caller', long)];
    const find = (words: string[], more?: Partial<SoughtWords>) => findWords(turns, [sought(words, more)])[0];
    const found = find(['cancel', 'my', 'plan']);
    expect(found?.turn).toBe(1);
    expect(found?.text).toMatch(/^… .*cancel my plan.* …$/);
    expect(find(['my', 'pla'], { isBeginning: true })).toEqual({ turn: 0, text: 'Cancel my plans?' });
    expect(find(['my'], { by: 'caller' })?.turn).toBe(1);
    expect(find(['plan', 'cancel'])).toBeNull();
    const several = findWords(turns, [sought(['plan', 'cancel']), sought(['plan']), sought(['plans'])]);
    expect(several.map((one) => one?.turn)).toEqual([undefined, 1, 0]);
  });

  test('are looked for in what can be said in some hours, and not beyond', () => {
    const turns = [turn(0, 'agent', 'a '.repeat(SEARCHED_AT_MOST / 2)), turn(1, 'caller', 'cancel')];
    expect(findWords(turns, [sought(['a', 'a']), sought(['cancel'])])).toMatchObject([{ turn: 0 }, null]);
  });
});
