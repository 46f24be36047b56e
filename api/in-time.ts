import { Failure } from '../src/operations/failure.ts';

/** 8 KiB a second, which the slowest of lines brings; counted over so much, so that a pause is no fault. */
const LEAST_BYTES = 256 * 1024;
const WITHIN_MS = 30_000;

/**
 * The bytes of a body, from a sender who keeps sending: one of a byte a minute holds a connection, and what was read for
 * it. Only the time counts in which bytes are waited for. @throws Failure `request_timeout`
 */
export async function* inTime(
  chunks: AsyncIterable<Uint8Array>,
  { leastBytes, withinMs } = { leastBytes: LEAST_BYTES, withinMs: WITHIN_MS },
): AsyncGenerator<Uint8Array> {
  const reader = chunks[Symbol.asyncIterator]();
  let [bytes, leftMs] = [0, withinMs];
  for (;;) {
    const beganMs = performance.now();
    const { done, value } = await within(reader.next(), leftMs);
    if (done) return;
    bytes += value.length;
    leftMs -= performance.now() - beganMs;
    if (bytes >= leastBytes) [bytes, leftMs] = [0, withinMs];
    yield value;
  }
}

async function within<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Failure('request_timeout', TOO_SLOW)), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const TOO_SLOW = 'The body arrives too slowly. Send it again over a faster connection, or in parts.';
