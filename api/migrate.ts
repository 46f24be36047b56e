import { readConfig } from '../src/config.ts';
import { prepareSchema } from '../src/db/migrate.ts';
import { messageOf } from '../src/user-facing-error.js';

/** Process entry: brings the schema up to date and ends, for who wants that done before new processes start. */
try {
  const ran = await prepareSchema(readConfig());
  process.stdout.write(`${JSON.stringify({ migrated: ran })}\n`);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}
