import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure, toEnvelope } from '../../src/operations/failure.ts';
import { newRequestId } from '../envelopes.ts';

/**
 * Answers what never becomes a request: garbage, conflicting lengths, headers that are too long, senders that are too
 * slow. The connection is closed, so that nothing behind it can be mistaken for another caller's.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newRequestId();
  const message =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'The address or the headers are too long.'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'The request did not arrive in time.'
        : 'This is not a well-formed HTTP request.';
  const body = JSON.stringify(toEnvelope(new Failure('invalid_parameter', message), requestId));
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `request-id: ${requestId}`,
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** `Expect` other than 100-continue, which Node answers with a bare 417. */
export function answerExpectation(_request: FastifyRequest['raw'], response: FastifyReply['raw']): void {
  const requestId = newRequestId();
  const failure = new Failure('invalid_parameter', 'The header Expect asks for something unknown.');
  const body = JSON.stringify(toEnvelope(failure, requestId));
  response.writeHead(400, {
    'content-type': 'application/json; charset=utf-8',
    'request-id': requestId,
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}
