import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editDistance } from '../../src/domain/edit-distance.ts';

describe('how far two words are apart', () => {
  test.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', 'abc', 0],
    ['abc', 'abd', 1],
    ['abc', 'ab', 1],
    ['abc', 'xabc', 1],
    ['ab', 'ba', 2],
    // The examples of Wagner and Fischer's algorithm in textbooks.
    ['kitten', 'sitting', 3],
    ['saturday', 'sunday', 3],
    ['intention', 'execution', 5],
  ])('%j and %j: %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });

  test.each([
    ['kitten', 'sitting', 3, 3],
    ['kitten', 'sitting', 2, 3],
    ['kitten', 'sitting', 0, 1],
    ['a', 'abcdef', 2, 3],
    ['same', 'same', 0, 0],
  ])('%j and %j, where %i matter: %i', (a, b, atMost, told) => {
    expect(editDistance(a, b, atMost)).toBe(told);
  });

  test('is a distance', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, word, fc.nat(9), (a, b, c, atMost) => {
        const ab = editDistance(a, b);
        expect(ab === 0).toBe(a === b);
        expect(editDistance(b, a)).toBe(ab);
        expect(ab).toBeLessThanOrEqual(editDistance(a, c) + editDistance(c, b));
        expect(ab).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        expect(ab).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(editDistance(a, b, atMost)).toBe(Math.min(ab, atMost + 1));
      }),
    );
  });
});
