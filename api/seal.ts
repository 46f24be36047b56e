import { readConfig } from '../src/config.ts';
import { openDatabase } from '../src/db/database.ts';
import { createVault } from '../src/secrets.ts';
import { keepHashingKey } from '../src/services/secrets/hashing-key.ts';
import { countLeft, sealAnew } from '../src/services/secrets/seal-anew.ts';
import { messageOf } from '../src/user-facing-error.js';

const POOL_MAX = 2;
const STATEMENT_TIMEOUT_MS = 600_000;
const TOLD_EVERY = 10_000;

/**
 * Process entry: seals everything under the present secret, and says how much is left under an earlier one; with
 * `--count` only that. Ends with 1 while something is left.
 */
try {
  const config = readConfig();
  const vault = createVault(config.secret, config.earlierSecrets);
  const database = await openDatabase({
    url: config.databaseUrl,
    poolMax: POOL_MAX,
    applicationName: 'earshot-seal',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onIdleError: () => {},
  });
  try {
    await database.check();
    await keepHashingKey(database, vault);
    const { left, ...done } = process.argv.includes('--count')
      ? { left: await countLeft(database, vault) }
      : await sealAnew(database, vault, progress());
    process.stdout.write(`${JSON.stringify({ ...done, left })}\n`);
    if (left > 0) process.exitCode = 1;
  } finally {
    await database.close();
  }
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

/** A line for each ten thousand values. */
function progress(): (sealed: number) => void {
  let told = 0;
  return (sealed) => {
    if (sealed < told + TOLD_EVERY) return;
    told = sealed;
    process.stderr.write(`${sealed} values are sealed anew.\n`);
  };
}
