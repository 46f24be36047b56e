import { expect, test } from 'vitest';
import { passesStorage, storageSentence } from '../../../src/domain/limits/storage.ts';

const MIB = 1024 * 1024;

test.each([
  [5 * MIB, 10, 4 * MIB, false],
  [5 * MIB, 10, 5 * MIB, true],
  [10 * MIB, 10, 0, true],
  [5 * MIB, null, 500 * MIB, false],
  [0, 0, 0, true],
])('%i bytes of %s MiB and %i more: passed %s', (usedBytes, limitMib, more, passes) => {
  expect(passesStorage({ usedBytes, limitMib }, more)).toBe(passes);
});

test.each([
  [1.25 * MIB, 10, 'keeps 1.3 MiB of its calls, and may keep 10 MiB.'],
  [1024 * MIB, 1536, 'keeps 1 GiB of its calls, and may keep 1.5 GiB.'],
  [1023 * MIB, 1024, 'keeps 1023 MiB of its calls, and may keep 1 GiB.'],
])('%i bytes of %i MiB in words', (usedBytes, limitMib, words) => {
  expect(storageSentence({ usedBytes, limitMib })).toContain(words);
});
