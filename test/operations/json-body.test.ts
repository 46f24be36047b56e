import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readJsonBody } from '../../src/operations/json-body.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const bytes = (chunks: AsyncIterable<Uint8Array>) => ({
  kind: 'bytes' as const,
  contentType: 'application/json',
  contentEncoding: null,
  declaredBytes: null,
  chunks,
});

/** A byte every ten seconds, for ever. */
async function* slow() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    yield new Uint8Array([0x20]);
  }
}

test('a body that does not arrive within half a minute is refused', async () => {
  const reading = readJsonBody(bytes(slow())).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await reading).toMatchObject({
    code: 'invalid_body',
    message: expect.stringContaining('within 30 seconds'),
  });
});

test('a body in several parts is read whole', async () => {
  async function* parts() {
    for (const part of ['{"a', '":1}']) yield Buffer.from(part);
  }
  expect(await readJsonBody(bytes(parts()))).toEqual({ a: 1 });
});
