import { randomFillSync } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { fieldOf } from '../src/domain/json.ts';
import type { Logger } from '../src/logger.ts';
import { Failure, internalError, toEnvelope } from '../src/operations/failure.ts';

const REQUEST_ID_BYTES = 12;
/** Drawn for many requests at once: the system's randomness costs a call each time. */
const drawn = Buffer.alloc(REQUEST_ID_BYTES * 256);
let used = drawn.length;

export function newRequestId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += REQUEST_ID_BYTES;
  return `req_${drawn.toString('hex', used - REQUEST_ID_BYTES, used)}`;
}

/** One answer to every error of HTTP: ours, the framework's, and what nobody expected. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): FastifyReply {
  const failure = failureOf(error, { requestId: request.id, operation: request.operationId }, log);
  if (failure.status === 401) reply.header('www-authenticate', 'Bearer realm="earshot"');
  // What is left of an unread body must not be taken for the next request.
  const isCut = failure.code === 'request_timeout' || request.raw.headers['content-length'] !== undefined;
  if (!request.raw.complete && isCut) reply.header('connection', 'close');
  return reply
    .code(failure.status)
    .header('request-id', request.id)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(toEnvelope(failure, request.id)));
}

/** What to answer; what nobody expected is logged. */
export function failureOf(error: unknown, of: { requestId: string; operation: string | null }, log: Logger): Failure {
  const failure = toFailure(error, of.requestId);
  if (failure.status === 500) log.error({ ...of, error: described(error) }, 'a request failed');
  return failure;
}

function toFailure(error: unknown, requestId: string): Failure {
  if (error instanceof Failure) return error;
  const code = fieldOf(error, 'code');
  const statusCode = fieldOf(error, 'statusCode');
  if (typeof code === 'string' && code.startsWith('FST_ERR_CTP')) {
    return new Failure('invalid_body', 'The body must be JSON in UTF-8, sent with content-type application/json.');
  }
  if (isAborted(error)) return new Failure('invalid_body', 'The request broke off before its body was there.');
  if (code === 'FST_ERR_BAD_URL')
    return new Failure('invalid_parameter', 'The address holds a broken escape sequence.');
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return new Failure('invalid_parameter', 'The request is not well formed.');
  }
  return internalError(requestId);
}

/** The client went away within its request, by the words of Node. Another ECONNRESET is a connection of our own. */
const isAborted = (error: unknown) =>
  fieldOf(error, 'code') === 'ECONNRESET' && fieldOf(error, 'message') === 'aborted';

/** Names and places only: messages of foreign errors may hold values of a request. */
function described(error: unknown): string {
  if (!(error instanceof Error)) return 'not an error object';
  const place = error.stack?.split('\n').slice(1, 6).join(' | ');
  const code = fieldOf(error, 'code');
  return [error.name, typeof code === 'string' ? code : '', place ?? ''].join(' ').trim();
}
