import { expect, test } from 'vitest';
import { isNearCode, isShuffled } from '../../../src/domain/values/near-code.ts';

test.each([
  ['one figure of four another', '4471', '4571'],
  ['one figure of seven another', '4471903', '4471908'],
  ['two figures of eight others', '44719035', '44719185'],
  ['two figures swapped', 'K7385', 'K7358'],
  ['three figures in a circle', '123', '231'],
])('%s: %s may be what was meant by %s', (_, a, b) => {
  expect(isNearCode(a, b)).toBe(true);
  expect(isNearCode(b, a)).toBe(true);
});

test.each([
  ['the same code', '4471', '4471'],
  ['nothing', '', ''],
  ['another length', '4471', '44719'],
  ['two figures of seven others', '4471903', '4471982'],
  ['the figures of both ends changed in pairs', '1234', '4321'],
])('%s: %s and %s are not one code misheard', (_, a, b) => {
  expect(isNearCode(a, b)).toBe(false);
});

test.each([
  ['94', '49', true],
  ['4471', '4471', false],
  ['4471', '4477', false],
  ['44', '444', false],
])('%s and %s hold the same figures in another order: %s', (a, b, shuffled) => {
  expect(isShuffled(a, b)).toBe(shuffled);
});
