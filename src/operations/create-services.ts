import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../logger.ts';
import { createVault } from '../secrets.ts';
import { createCursors } from './cursors.ts';
import { makeOpenApi, type OpenApiDocument } from './openapi.ts';
import type { Services } from './services.ts';
import { OPERATIONS } from './table.ts';

const DESCRIPTION =
  'Reads the production calls of voice agents, notices what goes wrong on each, and groups it into ranked issues with the words that show them.';

export function createServices(deps: { config: Config; database: Database; log: Logger }): Services {
  const { config } = deps;
  const vault = createVault(config.secret);
  const publicUrl = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`;
  let document: OpenApiDocument | undefined;
  return {
    database: deps.database,
    vault,
    cursors: createCursors(vault),
    log: deps.log,
    now: () => new Date(),
    polling: { polls: config.polls, pollSeconds: config.pollSeconds },
    publicUrl,
    temporalUi: config.temporalUi,
    // Made at the first question: a start should not wait for it.
    openapi() {
      document ??= makeOpenApi(
        OPERATIONS.filter((operation) => operation.surface === 'v1'),
        { title: 'Earshot', description: DESCRIPTION, serverUrl: publicUrl },
      );
      return document;
    },
  };
}
