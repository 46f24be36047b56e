import type { FastifyRequest } from 'fastify';
import { Failure } from '../src/operations/failure.ts';
import { inTime } from './in-time.ts';

const MEBIBYTE = 1024 * 1024;

/**
 * The body of a request whose bytes are nobody's yet: no parser of the server takes its content type.
 * @throws Failure `invalid_body` where it is larger than the limit, before more than that was read.
 */
export async function readBytes(request: FastifyRequest, limitBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of inTime(request.raw)) {
    size += chunk.length;
    if (size > limitBytes) throw tooLarge(limitBytes);
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

const tooLarge = (limitBytes: number) =>
  new Failure('invalid_body', `The body is larger than ${limitBytes / MEBIBYTE} MiB.`);
