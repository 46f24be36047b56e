import { expect, test } from 'vitest';
import * as limits from '../../../src/domain/limits/rate-limits.ts';

test.each([
  ['a read', { mcp: false, writes: false, ai: false }, ['requests', 'workspace']],
  ['a write', { mcp: false, writes: true, ai: false }, ['requests', 'writes', 'workspace']],
  ['a question to a model', { mcp: false, writes: false, ai: true }, ['requests', 'ai', 'workspace']],
  [
    'a write through MCP that asks a model',
    { mcp: true, writes: true, ai: true },
    ['mcp', 'requests', 'writes', 'ai', 'workspace'],
  ],
])('%s draws from its own buckets first, and from the most shared one last', (_, drawing, buckets) => {
  expect(limits.bucketsOf(drawing)).toEqual(buckets);
});

test('every refill divides a minute into whole microseconds, so that arithmetic stays whole', () => {
  const { BUCKETS, FAILED_AUTHENTICATIONS, INGEST_BUCKETS, SIGN_IN_TRIES, PUBLIC_REQUESTS } = limits;
  const each = [FAILED_AUTHENTICATIONS, SIGN_IN_TRIES, PUBLIC_REQUESTS];
  const all = [...Object.values(BUCKETS), ...Object.values(INGEST_BUCKETS), ...each];
  expect(all.filter(({ perMinute }) => 60_000_000 % perMinute !== 0)).toEqual([]);
});

test('a key is shown what the contract promises it', () => {
  expect(limits.RATE_LIMITS).toEqual({
    requests: { perMinute: 600, burst: 120 },
    writes: { perMinute: 60, burst: 20 },
    workspace: { perMinute: 600, burst: 600 },
  });
});
