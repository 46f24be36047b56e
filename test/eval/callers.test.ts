import { expect, test } from 'vitest';
import { countCallers } from './callers.ts';

const call = (id: string, callerKey: string | null, startedAt: string | null) => ({
  id,
  callerKey,
  startedAt,
  providerCallId: id,
});

test('calls of one caller are counted by their start, and those without one come last', () => {
  const counts = countCallers([
    call('c', 'k1', null),
    call('b', 'k1', '2026-01-02T00:00:00.000Z'),
    call('a', 'k1', '2026-01-01T00:00:00.000Z'),
    call('d', 'k2', null),
    call('e', null, '2026-01-01T00:00:00.000Z'),
  ]);
  expect(counts.get('a')).toEqual({ kind: 'new', nth: 1, of: 3 });
  expect(counts.get('b')).toEqual({ kind: 'repeat', nth: 2, of: 3 });
  expect(counts.get('c')).toEqual({ kind: 'repeat', nth: 3, of: 3 });
  expect(counts.get('d')).toEqual({ kind: 'new', nth: 1, of: 1 });
  expect(counts.get('e')).toEqual({ kind: 'unknown', nth: 1, of: 1 });
});
