import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Admission, Answer, RawRequest } from '../../src/operations/admission.ts';
import { Failure } from '../../src/operations/failure.ts';
import type { RawBody } from '../../src/operations/json-body.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { Runner } from '../../src/operations/perform.ts';
import type { Principal } from '../../src/operations/principal.ts';
import { clientNetwork } from '../client-network.ts';
import { inTime } from '../in-time.ts';
import type { LargeAnswers } from '../large-answers.ts';
import { readDeviceCookie, readRefreshCookie, writeDeviceCookie, writeRefreshCookie } from './refresh-cookie.ts';

declare module 'fastify' {
  interface FastifyInstance {
    largeAnswers: LargeAnswers;
  }
  interface FastifyRequest {
    /** The operation that the route stands for; null where there is none. */
    operationId: string | null;
    admission: Admission | null;
    /** Who asks, once it is known. */
    principal: Principal | null;
  }
}

/** One route an operation: everything up to the 404s runs before a byte of the body is read. */
export function addRoutes(app: FastifyInstance, runner: Runner, operations: readonly Operation[]): void {
  for (const operation of operations) {
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      onRequest: async (request, reply) => {
        request.operationId = operation.id;
        request.admission = await admit(runner, operation, request, reply);
        request.principal = request.admission.principal;
      },
      handler: async (request, reply) => {
        const { admission } = request;
        if (!admission) throw new Error('A route answered without having been admitted.');
        if (operation.isLarge) await app.largeAnswers(admission.principal, reply);
        return send(await finish(runner, admission, request, reply), operation, request, reply);
      },
    });
  }
}

/** Admits a request, and answers with the headers of access control whether it was admitted or not. */
export async function admit(
  runner: Runner,
  operation: Operation | null,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admission> {
  const raw: RawRequest = {
    requestId: request.id,
    address: clientNetwork(request.ip),
    authorization: request.headers.authorization ?? null,
    idempotencyKey: idempotencyKeyOf(request),
    refreshSecret: readRefreshCookie(request),
    device: readDeviceCookie(request),
    lastEventId: readLastEventId(request),
    range: request.headers.range ?? null,
    // The router gives each parameter of a path as text.
    path: (request.params ?? {}) as Record<string, string>,
    headers: {},
  };
  try {
    // Nothing where an id belongs is an address of nothing, and no id of another form.
    return await runner.admit(Object.values(raw.path).includes('') ? null : operation, raw);
  } finally {
    reply.headers(raw.headers);
  }
}

/** The headers once more: the operation may have refused for a reason that they tell of, or have answered before. */
async function finish(
  runner: Runner,
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Answer> {
  try {
    return await runner.finish(admission, () => readQuery(request), readBody(request));
  } finally {
    reply.headers(admission.request.headers);
  }
}

async function send(
  answer: Answer,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.code(answer.status).header('cache-control', 'no-store');
  if (answer.device !== undefined) writeDeviceCookie(reply, answer.device);
  if (answer.refreshSecret !== undefined) writeRefreshCookie(reply, answer.refreshSecret);
  if (answer.media) {
    const { status, headers, body } = answer.media;
    return reply
      .code(status)
      .headers(headers)
      .send(Readable.from(body, { objectMode: false }));
  }
  if (answer.stream) {
    reply.header('content-type', `${operation.streamType}; charset=utf-8`);
    // Proxies hold back what they think is a page; and a connection that outlives its stream would hold up our end.
    if (operation.streamType === 'text/event-stream') reply.headers({ 'x-accel-buffering': 'no', connection: 'close' });
    // A stream that nobody reads is never begun: that of events would not end.
    return reply.send(request.method === 'HEAD' ? '' : Readable.from(answer.stream));
  }
  if (answer.stored) reply.header('etag', `"${answer.stored.sha256}"`);
  const text = answer.stored?.text ?? JSON.stringify(answer.body);
  return reply.header('content-type', 'application/json; charset=utf-8').send(text);
}

function readLastEventId(request: FastifyRequest): string | null {
  const value = request.headers['last-event-id'];
  return Array.isArray(value) ? value.join() : (value ?? null);
}

/** Every value of every name, decoded; the runner decides which may be repeated. */
function readQuery(request: FastifyRequest): Record<string, string[]> {
  const query: Record<string, string[]> = Object.create(null);
  const url = request.raw.url ?? '';
  const at = url.indexOf('?');
  if (at < 0) return query;
  for (const pair of url.slice(at + 1).split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals), null);
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1), name);
    const values = query[name] ?? [];
    values.push(value);
    query[name] = values;
  }
  return query;
}

function decode(text: string, param: string | null): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Failure(
      'invalid_parameter',
      'The query holds a broken escape sequence.',
      param === null ? {} : { param },
    );
  }
}

/** As it came: one that was sent twice arrives joined by a comma and a space, which no key holds. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key'];
  return Array.isArray(key) ? key.join(', ') : (key ?? null);
}

/** The body as it comes, with what the headers say of it. */
export function readBody(request: FastifyRequest): RawBody {
  const { headers } = request.raw;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody || request.method === 'GET' || request.method === 'HEAD') return { kind: 'none' };
  return {
    kind: 'bytes',
    contentType: headers['content-type'] ?? null,
    contentEncoding: headers['content-encoding'] ?? null,
    declaredBytes: headers['content-length'] === undefined ? null : Number(headers['content-length']),
    chunks: inTime(request.raw),
  };
}
