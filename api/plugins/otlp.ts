import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Encoding, Signal } from '../../src/inbound/otlp/read-request.ts';
import { contentTypeOf, writeStatus, writeTaken } from '../../src/inbound/otlp/write-answer.ts';
import { Failure } from '../../src/operations/failure.ts';
import { collectUpTo, mediaType, unpacked } from '../../src/operations/ingest/read-body.ts';
import { type TakenSpans, takeSpans } from '../../src/operations/ingest/take-spans.ts';
import { failureOf } from '../envelopes.ts';
import { admitted, type IngestDeps } from './admit-ingest.ts';
import { readBody } from './routes.ts';

const SPANS_LIMIT_BYTES = 32 * 1024 * 1024;
const NOTHING_REFUSED = { rejected: 0, reason: '' };

/** Takes the spans of a request and answers as OTLP/HTTP says. */
export const answerTraces = (deps: IngestDeps, request: FastifyRequest, reply: FastifyReply) =>
  answerSent(deps, request, reply, 'traces');

/** Takes what logs hold of talks, and leaves the others. */
export const answerLogs = (deps: IngestDeps, request: FastifyRequest, reply: FastifyReply) =>
  answerSent(deps, request, reply, 'logs');

async function answerSent(
  deps: IngestDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  signal: Signal,
): Promise<FastifyReply> {
  request.operationId = signal === 'traces' ? 'takeSpans' : 'takeLogs';
  const encoding = encodingOf(request);
  try {
    const taken = await admitted(deps, request, reply, async (holder): Promise<TakenSpans> => {
      if (encoding === null) {
        throw new Failure('invalid_body', 'Send application/x-protobuf or application/json, as OTLP/HTTP says.');
      }
      const body = readBody(request);
      const bytes =
        body.kind === 'bytes'
          ? await collectUpTo(
              SPANS_LIMIT_BYTES,
              unpacked(body, () => {}),
            )
          : new Uint8Array();
      return takeSpans(deps.services, holder, { body: bytes, encoding, signal });
    });
    return await sendOtlp(reply, 200, encoding ?? 'json', writeTaken(encoding ?? 'json', taken, signal));
  } catch (error) {
    const failure = failureOf(error, { requestId: request.id, operation: request.operationId }, deps.services.log);
    // Senders try again after 503 only: nothing was stored, and the next time it may be.
    const status = failure.status === 500 || failure.status === 408 ? 503 : failure.status;
    if (status === 503) reply.header('retry-after', '5');
    if (status === 401) reply.header('www-authenticate', 'Bearer realm="earshot"');
    if (!request.raw.complete) reply.header('connection', 'close');
    const said = { code: RPC_CODES[failure.status] ?? RPC_CODES[400], message: failure.message };
    return sendOtlp(reply, status, encoding ?? 'json', writeStatus(encoding ?? 'json', said));
  }
}

/** What google.rpc calls our statuses. */
const RPC_CODES: Partial<Record<number, number>> & { 400: number } = { 400: 3, 401: 16, 408: 4, 429: 8, 500: 14 };

/** Answers what is taken and left. */
export async function answerLeft(
  deps: IngestDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  request.operationId = 'leaveSignals';
  await admitted(deps, request, reply, async () => {});
  return sendOtlp(reply, 200, encodingOf(request) ?? 'json', writeTaken('protobuf', NOTHING_REFUSED));
}

function encodingOf(request: FastifyRequest): Encoding | null {
  const type = mediaType(request.headers['content-type'] ?? null);
  if (type === 'application/json') return 'json';
  return type === 'application/x-protobuf' ? 'protobuf' : null;
}

function sendOtlp(reply: FastifyReply, status: number, encoding: Encoding, body: Uint8Array): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('content-type', contentTypeOf(encoding))
    .send(Buffer.from(body));
}
