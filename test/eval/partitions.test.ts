import { describe, expect, test } from 'vitest';
import {
  adjustedRandIndex,
  assignBest,
  assignedAccuracy,
  normalisedMutualInformation,
  purity,
  purityF1,
} from './partitions.ts';

const placed = (pairs: string[]) =>
  pairs.map((pair, at) => ({ group: String(at), truth: pair[0] ?? '', answer: pair[1] ?? '' }));

describe('two partitions', () => {
  test('that are the same but for the names agree wholly', () => {
    const same = placed(['ax', 'ax', 'by', 'cz', 'cz']);
    for (const figure of [purity, purityF1, assignedAccuracy, normalisedMutualInformation, adjustedRandIndex]) {
      expect(figure(same)).toBeCloseTo(1);
    }
  });

  test('one group of everything is pure by its largest part alone', () => {
    const one = placed(['ax', 'ax', 'bx', 'cx']);
    expect(purity(one)).toBe(0.5);
    expect(purityF1(one)).toBeCloseTo(2 / 3);
    expect(assignedAccuracy(one)).toBe(0.5);
    expect(normalisedMutualInformation(one)).toBeCloseTo(0);
    expect(adjustedRandIndex(one)).toBeCloseTo(0);
  });

  test('a group each is pure and yet assigned only once a truth', () => {
    const each = placed(['a1', 'a2', 'a3', 'b4']);
    expect(purity(each)).toBe(1);
    expect(assignedAccuracy(each)).toBe(0.5);
  });

  test('the assignment is the best of all, not the greedy one', () => {
    expect(
      assignBest([
        [9, 8],
        [8, 1],
      ]),
    ).toEqual([1, 0]);
    expect(assignBest([[1], [5], [2]])).toEqual([-1, 0, -1]);
  });
});
