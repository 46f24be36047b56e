import { describe, expect, test } from 'vitest';
import { type MixtureText, newGroupFor, priorFor, sortTexts } from '../../../src/domain/calls/intent-mixture.ts';

const text = (...terms: number[]): MixtureText => ({ terms, weights: terms.map(() => 1), vector: null, group: null });
const times = (count: number, one: MixtureText) => Array.from({ length: count }, () => one);

/** Texts of each kind share their terms and none with the other kind. */
const TWO_KINDS = [...times(12, text(0, 1, 2)), ...times(12, text(3, 4, 5))];

function sort(texts: readonly MixtureText[], groupsAtMost = 10, seed = 3): number[] {
  const vocabulary = 1 + Math.max(0, ...texts.flatMap(({ terms }) => [...terms]));
  const mass = texts.reduce((sum, { weights }) => sum + weights.length, 0);
  const shape = { vocabulary, prior: priorFor(mass), newGroup: newGroupFor(texts.length), alike: 0.5 };
  return sortTexts(texts, shape, { groupsAtMost, seed, dimensions: 2 });
}

describe('texts are sorted by the words that they share', () => {
  test('two kinds come to two groups', () => {
    const groups = sort(TWO_KINDS);
    expect(new Set(groups.slice(0, 12)).size).toBe(1);
    expect(new Set(groups.slice(12)).size).toBe(1);
    expect(groups[0]).not.toBe(groups[12]);
  });

  test('alike ones come to one group, however many there may be', () => {
    expect(new Set(sort(times(20, text(0, 1)))).size).toBe(1);
  });

  test('never into more groups than are allowed', () => {
    const kinds = Array.from({ length: 8 }, (_, kind) => times(6, text(2 * kind, 2 * kind + 1))).flat();
    expect(new Set(sort(kinds, 3)).size).toBeLessThanOrEqual(3);
    for (const group of sort(kinds, 3)) expect([0, 1, 2]).toContain(group);
  });

  test('the same texts and the same start come to the same groups', () => {
    expect(sort(TWO_KINDS, 10, 5)).toEqual(sort(TWO_KINDS, 10, 5));
  });

  test.each([
    ['none', [], 0],
    ['one', [text(0)], 1],
    ['one without a word', [text()], 1],
  ])('%s', (_, texts, count) => {
    expect(sort(texts)).toHaveLength(count);
  });
});

describe('a text that stays', () => {
  test('stays in its group, even among others', () => {
    const held = { ...text(3, 4, 5), group: 7 };
    const groups = sort([held, ...times(10, text(0, 1, 2))]);
    expect(groups[0]).toBe(7);
  });

  test('draws those that are like it', () => {
    const held = times(6, { ...text(0, 1, 2), group: 4 });
    expect(sort([...held, ...times(6, text(0, 1, 2))])).toEqual(Array(12).fill(4));
  });
});

describe('vectors', () => {
  const pointing = (x: number, y: number): MixtureText => ({
    ...text(0),
    vector: { places: Int32Array.from([0, 1]), values: Float64Array.from([x, y]) },
  });

  test('tell texts apart that say the same words', () => {
    const groups = sort([...times(12, pointing(1, 0)), ...times(12, pointing(0, 1))]);
    expect(new Set(groups.slice(0, 12)).size).toBe(1);
    expect(groups[0]).not.toBe(groups[12]);
  });
});

test.each([
  [0, 0.5],
  [15, 0.5],
  [90, 3],
  [2000, 5],
])('among %i texts a new group weighs as much as %s of them', (texts, weight) => {
  expect(newGroupFor(texts)).toBe(weight);
});
