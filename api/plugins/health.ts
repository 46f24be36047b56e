import type { FastifyInstance } from 'fastify';

/** What this process needs in order to serve; each with a sentence when it is missing. */
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
  readiness(): Promise<Readiness>;
  /** False once the process has been asked to end. */
  accepting(): boolean;
}

/** `healthz`: the process lives. `readyz`: database, Temporal and at least one worker. Neither needs a key. */
export function addHealthRoutes(app: FastifyInstance, deps: HealthDeps): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const readiness = await deps.readiness();
    const ready = readiness.ready && deps.accepting();
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ...readiness, ready });
  });
}
