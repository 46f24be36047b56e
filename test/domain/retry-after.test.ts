import { describe, expect, test } from 'vitest';
import { parseRetryAfter, readRetryAfter } from '../../src/domain/retry-after.ts';

const NOW_MS = Date.parse('2026-03-02T09:00:00Z');

describe('a wait that a server asks for', () => {
  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['1.5', 1_500],
    ['Mon, 02 Mar 2026 10:00:00 GMT', 3_600_000],
    ['Mon, 02 Mar 2026 08:00:00 GMT', null],
    ['soon', null],
    ['-5', null],
    ['1e9', null],
    ['9'.repeat(400), null],
    ['', null],
    [undefined, null],
  ])('%s', (header, waitMs) => {
    expect(parseRetryAfter(header, NOW_MS)).toBe(waitMs);
  });

  test.each([
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9_000],
    [{}, null],
  ])('%o', (headers, waitMs) => {
    expect(readRetryAfter(headers as Record<string, string>, NOW_MS)).toBe(waitMs);
  });
});
