import type { FastifyRequest } from 'fastify';
import { Failure } from '../src/operations/failure.ts';

const MEBIBYTE = 1024 * 1024;

/**
 * The body of a request whose bytes are nobody's yet: no parser of the server takes its content type.
 * @throws Failure `invalid_body` where it is larger than the limit, before more than that was read.
 */
export async function readBytes(request: FastifyRequest, limitBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.raw) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > limitBytes) throw tooLarge(limitBytes);
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

const tooLarge = (limitBytes: number) =>
  new Failure('invalid_body', `The body is larger than ${limitBytes / MEBIBYTE} MiB.`);
