import type { FastifyInstance } from 'fastify';

/** What is needed for all that is asked for; each with a sentence when it is missing. */
export interface Readiness {
  ready: boolean;
  database: Part;
  temporal: Part;
  workers: Part & { seen: number };
}
export interface Part {
  ok: boolean;
  message: string;
}

export interface HealthDeps {
  /** Whether the database answers, without which nothing is served. */
  database(): Promise<Part>;
  readiness(): Promise<Readiness>;
  /** False once the process has been asked to end. */
  accepting(): boolean;
}

/**
 * `healthz`: the process lives. `readyz`: it serves, as the database answers and it was not asked to end. `workz`: what is
 * asked for is also done, as Temporal answers and a worker was seen. None needs a key.
 */
export function addHealthRoutes(app: FastifyInstance, deps: HealthDeps): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const database = await deps.database();
    const ready = database.ok && deps.accepting();
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready, database });
  });
  app.get('/workz', async (_request, reply) => {
    const readiness = await deps.readiness();
    const ready = readiness.ready && deps.accepting();
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ...readiness, ready });
  });
}
