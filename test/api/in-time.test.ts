import { expect, test } from 'vitest';
import { inTime } from '../../api/in-time.ts';

const NEVER = new Promise<never>(() => {});
const LIMITS = { leastBytes: 10, withinMs: 20 };

async function read(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of inTime(chunks, LIMITS)) bytes += chunk.length;
  return bytes;
}

test('a body that keeps coming is read, however much it is', async () => {
  async function* all() {
    for (let nth = 0; nth < 100; nth += 1) yield new Uint8Array(10);
  }
  expect(await read(all())).toBe(1000);
});

test('a body that stops coming is answered as a request that did not arrive in time', async () => {
  async function* stops() {
    yield new Uint8Array(3);
    await NEVER;
  }
  await expect(read(stops())).rejects.toMatchObject({ code: 'request_timeout' });
});

test('a body that drips is too, and one whose reader is slow is not', async () => {
  const clock = () => new Promise((resolve) => setTimeout(resolve, 5));
  async function* drips() {
    for (;;) {
      await clock();
      yield new Uint8Array(1);
    }
  }
  await expect(read(drips())).rejects.toMatchObject({ code: 'request_timeout' });
  async function* ready() {
    for (let nth = 0; nth < 10; nth += 1) yield new Uint8Array(1);
  }
  let bytes = 0;
  for await (const chunk of inTime(ready(), LIMITS)) {
    await clock();
    bytes += chunk.length;
  }
  expect(bytes).toBe(10);
});
