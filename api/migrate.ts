import { type Config, readConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/database.ts';
import { prepareSchema } from '../src/db/migrate.ts';
import { createVault } from '../src/secrets.ts';
import { bindKeys } from '../src/services/secrets/seal-anew.ts';
import { messageOf } from '../src/user-facing-error.js';

const STATEMENT_TIMEOUT_MS = 60_000;

/**
 * Process entry: brings the schema up to date, binds keys that an earlier version sealed for no place, and ends, for who
 * wants that done before new processes start.
 */
try {
  const config = readConfig();
  const migrated = await prepareSchema(config);
  const bound = await bindKeysOf(config);
  process.stdout.write(`${JSON.stringify({ migrated, bound })}\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

async function bindKeysOf({ databaseUrl, secret, earlierSecrets }: Config): Promise<number> {
  const database = await openDatabase({
    url: databaseUrl,
    poolMax: 1,
    applicationName: 'earshot-migrate',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onIdleError: () => {},
  });
  try {
    return await bindKeys(database, createVault(secret, earlierSecrets));
  } finally {
    await database.close();
  }
}
