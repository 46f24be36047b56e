import type { FastifyInstance } from 'fastify';
import type { Operation } from '../src/operations/operation.ts';
import type { Runner } from '../src/operations/perform.ts';
import { addRoutes } from './plugins/routes.ts';

/** The public API: what keys may use, and what the OpenAPI document describes. */
export function addV1Routes(app: FastifyInstance, runner: Runner, operations: readonly Operation[]): void {
  addRoutes(
    app,
    runner,
    operations.filter((operation) => operation.surface === 'v1'),
  );
}
