import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure, toEnvelope } from '../../src/operations/failure.ts';
import { clientNetwork } from '../client-network.ts';
import { newRequestId } from '../envelopes.ts';

/** What the limits of an address look like now; who asks is not known here. */
export type LookAtAddress = (address: string) => Promise<Record<string, string>>;

/**
 * Answers what never becomes a request: garbage, conflicting lengths, headers that are too long, senders that are too
 * slow. The connection is closed, so that nothing behind it can be mistaken for another caller's.
 */
export async function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  look: LookAtAddress,
): Promise<void> {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const limits = await readLimits(socket, look);
  if (!socket.writable) return;
  const requestId = newRequestId();
  const failure = failureOf(error);
  const body = JSON.stringify(toEnvelope(failure, requestId));
  socket.end(
    [
      `HTTP/1.1 ${failure.status} ${failure.status === 408 ? 'Request Timeout' : 'Bad Request'}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `request-id: ${requestId}`,
      ...Object.entries(limits).map(([name, value]) => `${name}: ${value}`),
      'cache-control: no-store',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

function failureOf({ code }: NodeJS.ErrnoException): Failure {
  // Also where this process was held up: whoever asks again may be answered, which a 400 would deny.
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Failure('request_timeout', 'The request did not arrive in time. Send it again.');
  const message =
    code === 'HPE_HEADER_OVERFLOW'
      ? 'The address or the headers are too long.'
      : 'This is not a well-formed HTTP request.';
  return new Failure('invalid_parameter', message);
}

/** The limit headers of an address; none while the database is away, when nobody knows them. */
async function readLimits(socket: Socket, look: LookAtAddress): Promise<Record<string, string>> {
  try {
    return await look(clientNetwork(socket.remoteAddress ?? ''));
  } catch {
    return {};
  }
}

/** `Expect` other than 100-continue, which Node answers with a bare 417. */
export async function answerExpectation(
  request: FastifyRequest['raw'],
  response: FastifyReply['raw'],
  look: LookAtAddress,
): Promise<void> {
  const requestId = newRequestId();
  const failure = new Failure('invalid_parameter', 'The header Expect asks for something unknown.');
  const body = JSON.stringify(toEnvelope(failure, requestId));
  const limits = await readLimits(request.socket, look);
  response.writeHead(400, {
    ...limits,
    'content-type': 'application/json; charset=utf-8',
    'request-id': requestId,
    'cache-control': 'no-store',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}
