import type { FastifyInstance } from 'fastify';
import type { Runner } from '../src/operations/perform.ts';
import { OPERATIONS } from '../src/operations/table.ts';
import { addRoutes } from './plugins/routes.ts';

/** What only signed-in people do: the web app and the command line use it, a key never can. */
export function addAppRoutes(app: FastifyInstance, runner: Runner): void {
  addRoutes(
    app,
    runner,
    OPERATIONS.filter((operation) => operation.surface === 'app'),
  );
}
