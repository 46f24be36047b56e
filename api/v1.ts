import type { FastifyInstance } from 'fastify';
import type { Runner } from '../src/operations/perform.ts';
import { OPERATIONS } from '../src/operations/table.ts';
import { addRoutes } from './plugins/routes.ts';

/** The public API: what keys may use, and what the OpenAPI document describes. */
export function addV1Routes(app: FastifyInstance, runner: Runner): void {
  addRoutes(
    app,
    runner,
    OPERATIONS.filter((operation) => operation.surface === 'v1'),
  );
}
