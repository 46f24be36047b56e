import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import { collectAfterStart } from '../../src/first-collection.ts';

test('a process collects its heap a moment after its start, and shows no later context how', async () => {
  const unused = new WeakRef({ of: 'the start' });
  collectAfterStart();
  expect(runInNewContext('typeof gc')).toBe('undefined');
  // Not the object itself: an expectation that fails would hold it.
  await vi.waitFor(() => expect(unused.deref() === undefined).toBe(true), { timeout: 20_000, interval: 100 });
});
