import type { FastifyInstance } from 'fastify';
import type { Operation } from '../src/operations/operation.ts';
import type { Runner } from '../src/operations/perform.ts';
import { addRoutes } from './plugins/routes.ts';

/** What only signed-in people do: the web app and the command line use it, a key never can. */
export function addAppRoutes(app: FastifyInstance, runner: Runner, operations: readonly Operation[]): void {
  addRoutes(
    app,
    runner,
    operations.filter((operation) => operation.surface === 'app'),
  );
}
