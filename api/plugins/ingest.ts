import type { FastifyInstance } from 'fastify';
import { takeRecords } from '../../src/operations/ingest/take-records.ts';
import { admitted, type IngestDeps } from './admit-ingest.ts';
import { readBody } from './routes.ts';

/** Exporters that are given the address as a whole, as a base, or as a base twice: all mean the same. */
const TRACES = ['/otlp', '/otlp/v1/traces', '/otlp/v1/traces/v1/traces'];
/** What exporters send beside traces, where somebody switched it on: taken, so that they do not try again, and left. */
const LEFT = ['/otlp/v1/metrics'];

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
  for (const url of TRACES) {
    app.post(url, async (request, reply) => (await otlp()).answerTraces(deps, request, reply));
  }
  app.post('/otlp/v1/logs', async (request, reply) => (await otlp()).answerLogs(deps, request, reply));
  for (const url of LEFT) {
    app.post(url, async (request, reply) => (await otlp()).answerLeft(deps, request, reply));
  }
}

/** Loaded where an exporter sends something: the others go without the encoding of its protocol. */
const otlp = () => import('./otlp.ts');
