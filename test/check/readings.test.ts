import { expect, test } from 'vitest';
import { objectionTo } from './readings.ts';

const landed = { version: 3, readings: { a: 'resolved', b: 'abandoned' } };

test('what is read of a call changes with the version alone', () => {
  const changed = { a: 'resolved', b: 'transferred' };
  expect(objectionTo({ version: 3, readings: changed }, landed)).toMatch(/^The rules read 1 calls otherwise .* raise/);
  expect(objectionTo({ version: 4, readings: changed }, landed)).toBeNull();
});

test('calls that are new, or gone, ask for no version', () => {
  expect(objectionTo({ version: 3, readings: { b: 'abandoned', c: 'resolved' } }, landed)).toBeNull();
});
