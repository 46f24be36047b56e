import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Failure } from '../failure.ts';
import type { RawBody } from '../json-body.ts';

type Bytes = Extract<RawBody, { kind: 'bytes' }>;

/**
 * The body as it was before its sender compressed it, piece by piece: a reader that has enough stops the rest.
 * @param count is told of the bytes of each piece
 */
export function unpacked(
  { chunks, contentEncoding }: Bytes,
  count: (bytes: number) => void,
): AsyncIterable<Uint8Array> {
  const encoding = contentEncoding?.trim().toLowerCase() || 'identity';
  if (encoding === 'identity') return counted(chunks, count);
  if (encoding !== 'gzip')
    throw new Failure('invalid_body', 'The body must be sent as it is, or compressed with gzip.');
  return counted(orNoGzip(pipeline(chunks, createGunzip(), () => {})), count);
}

async function* counted(chunks: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    count(chunk.length);
    yield chunk;
  }
}

async function* orNoGzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('invalid_body', 'The body is not valid gzip.');
  }
}

/** @throws Failure `invalid_body` as soon as the body, unpacked, is larger than it may be. */
export async function collectUpTo(limitBytes: number, chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limitBytes) {
      throw new Failure('invalid_body', `The body, unpacked, is larger than ${limitBytes / 1024 / 1024} MiB.`);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** What a content type names, without its parameters. */
export const mediaType = (contentType: string | null) => (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
