import type { FastifyInstance, FastifyRequest } from 'fastify';
import { beginTrace, type Span, within } from '../../src/tracing/tracing.ts';

/** Asked by machines all the time. */
const UNTRACED: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/workz', '/metrics']);

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null;
  }
}

/** Has each request begin a trace, named after its route: paths hold ids, and links their secrets. */
export function addTracing(app: FastifyInstance): void {
  app.decorateRequest('span', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions;
    request.span = UNTRACED.has(route) ? null : beginTrace(wordsOf(request, route), request.id);
    if (request.span === null) done();
    else within(request.span.carrier, done);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode } = reply;
    const failure = statusCode >= 500 ? `answered with ${statusCode}` : null;
    request.span?.end(failure, {
      'http.response.status_code': statusCode,
      ...(request.operationId !== null && { 'earshot.operation': request.operationId }),
    });
  });
}

function wordsOf({ method }: FastifyRequest, route: string | undefined) {
  const attributes = { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) };
  return { name: route === undefined ? method : `${method} ${route}`, kind: 'server' as const, attributes };
}
