import Fastify, { type FastifyInstance } from 'fastify';
import { internalError, toEnvelope } from '../src/operations/failure.ts';
import { newRequestId } from './envelopes.ts';
import { addHealthRoutes, type Part } from './plugins/health.ts';

/**
 * Answers in place of the application while the database can't be worked with yet: health addresses say what is waited
 * for, and everything else is answered with the contract's error.
 */
export async function serveWaiting(
  place: { host: string; port: number },
  waitsFor: () => string,
): Promise<FastifyInstance> {
  const app = Fastify({ logger: false, genReqId: newRequestId, requestIdHeader: false, forceCloseConnections: true });
  const database = (): Part => ({ ok: false, message: waitsFor() });
  const unknown: Part = { ok: false, message: 'Not asked before the database can be worked with.' };
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    await reply
      .code(500)
      .headers({ 'request-id': request.id, 'cache-control': 'no-store' })
      .send(toEnvelope(internalError(request.id), request.id));
  });
  addHealthRoutes(app, {
    accepting: () => false,
    database: async () => database(),
    readiness: async () => ({
      ready: false,
      database: database(),
      temporal: unknown,
      workers: { ...unknown, seen: 0 },
    }),
  });
  await app.listen(place);
  return app;
}
