import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Encoding } from '../../src/inbound/otlp/read-traces.ts';
import { contentTypeOf, writeStatus, writeTaken } from '../../src/inbound/otlp/write-answer.ts';
import type { Authenticator } from '../../src/operations/access/authenticate.ts';
import { enterIngest } from '../../src/operations/access/enter-ingest.ts';
import type { RawRequest } from '../../src/operations/admission.ts';
import { Failure } from '../../src/operations/failure.ts';
import { collectUpTo, mediaType, unpacked } from '../../src/operations/ingest/read-body.ts';
import { takeRecords } from '../../src/operations/ingest/take-records.ts';
import { takeSpans } from '../../src/operations/ingest/take-spans.ts';
import type { Services } from '../../src/operations/services.ts';
import { anonymousRequest } from '../anonymous-request.ts';
import { failureOf } from '../envelopes.ts';
import { readBody } from './routes.ts';

interface IngestDeps {
  services: Services;
  authenticator: Authenticator;
}

/** Exporters that are given the address as a whole, as a base, or as a base twice: all mean the same. */
const TRACES = ['/otlp', '/otlp/v1/traces', '/otlp/v1/traces/v1/traces'];
/** What exporters send beside traces, where somebody switched it on: taken, so that they do not try again, and left. */
const LEFT = ['/otlp/v1/logs', '/otlp/v1/metrics'];
const SPANS_LIMIT_BYTES = 32 * 1024 * 1024;

/**
 * Where agents send their calls. No operations: an ingest token reaches one agent and nothing else, and exporters expect
 * the answers of their own protocol.
 */
export function addIngest(app: FastifyInstance, deps: IngestDeps): void {
  app.post('/ingest/calls', async (request, reply) => {
    request.operationId = 'takeRecords';
    const taken = await admitted(deps, request, reply, (holder) =>
      takeRecords(deps.services, holder, readBody(request)),
    );
    return reply.header('cache-control', 'no-store').send(taken);
  });
  for (const url of TRACES) app.post(url, (request, reply) => answerTraces(deps, request, reply));
  for (const url of LEFT) {
    app.post(url, async (request, reply) => {
      request.operationId = 'leaveSignals';
      await admitted(deps, request, reply, async () => {});
      return sendOtlp(reply, 200, encodingOf(request) ?? 'json', writeTaken('protobuf', NOTHING_REFUSED));
    });
  }
}

const NOTHING_REFUSED = { rejected: 0, reason: '' };

async function answerTraces(deps: IngestDeps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  request.operationId = 'takeSpans';
  const encoding = encodingOf(request);
  try {
    const taken = await admitted(deps, request, reply, async (holder) => {
      if (encoding === null) {
        throw new Failure('invalid_body', 'Send application/x-protobuf or application/json, as OTLP/HTTP says.');
      }
      const body = readBody(request);
      const bytes = body.kind === 'bytes' ? await collectUpTo(SPANS_LIMIT_BYTES, unpacked(body)) : new Uint8Array();
      return takeSpans(deps.services, holder, { body: bytes, encoding });
    });
    return await sendOtlp(reply, 200, encoding ?? 'json', writeTaken(encoding ?? 'json', taken));
  } catch (error) {
    const failure = failureOf(error, { requestId: request.id, operation: request.operationId }, deps.services.log);
    // Senders try again after 503 only: nothing was stored, and the next time it may be.
    const status = failure.status === 500 ? 503 : failure.status;
    if (status === 503) reply.header('retry-after', '5');
    if (status === 401) reply.header('www-authenticate', 'Bearer realm="earshot"');
    if (!request.raw.complete) reply.header('connection', 'close');
    const said = { code: RPC_CODES[failure.status] ?? RPC_CODES[400], message: failure.message };
    return sendOtlp(reply, status, encoding ?? 'json', writeStatus(encoding ?? 'json', said));
  }
}

/** What google.rpc calls our statuses. */
const RPC_CODES: Partial<Record<number, number>> & { 400: number } = { 400: 3, 401: 16, 429: 8, 500: 14 };

type Holder = Awaited<ReturnType<typeof enterIngest>>;

/** Before a byte of the body is read. */
async function admitted<Result>(
  { services, authenticator }: IngestDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (holder: Holder) => Promise<Result>,
): Promise<Result> {
  const raw: RawRequest = { ...anonymousRequest(request), authorization: request.headers.authorization ?? null };
  try {
    return await work(await enterIngest(services, raw));
  } catch (error) {
    const said = error instanceof Failure && error.status === 401 ? await authenticator.failed(raw, error) : error;
    if (said instanceof Failure && said.retryAfterSeconds !== undefined) {
      reply.header('retry-after', String(said.retryAfterSeconds));
    }
    throw said;
  } finally {
    reply.headers(raw.headers);
  }
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
