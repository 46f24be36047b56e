import type { FastifyInstance } from 'fastify';
import { SCHEMA_NAMES, schemaOf } from '../../src/operations/schemas.ts';

/** JSON Schemas of records, test files and result documents, for editors. They tell nothing of anybody's data. */
export function addSchemas(app: FastifyInstance): void {
  for (const name of SCHEMA_NAMES) {
    app.get(`/schemas/${name}.json`, async (_request, reply) =>
      reply
        .header('content-type', 'application/schema+json; charset=utf-8')
        .header('access-control-allow-origin', '*')
        .send(JSON.stringify(schemaOf(name))),
    );
  }
}
