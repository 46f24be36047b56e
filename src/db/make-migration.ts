import { parseArgs } from 'node:util';
import { migrate, openOwner } from './migrate.ts';

/**
 * Writes the migration that brings the newest migrated schema to the entities: `npm run migration -- <name>`.
 * DATABASE_URL names a scratch database, which is migrated first.
 */
async function main(): Promise<void> {
  const [name, ...more] = parseArgs({ allowPositionals: true }).positionals;
  const url = process.env.DATABASE_URL;
  if (!url || !/^[a-z][a-z0-9_]*$/.test(name ?? '') || more.length > 0) {
    process.stderr.write(
      'Name what it does, in small letters, and an empty database: DATABASE_URL=postgres://… npm run migration -- goal_owners\n',
    );
    process.exitCode = 2;
    return;
  }
  await migrate(url);
  const orm = await openOwner(url);
  try {
    const made = await orm.migrator.create(undefined, false, false, name);
    process.stdout.write(
      made.fileName
        ? `Wrote migrations/${made.fileName}\n`
        : 'No difference between the entities and the migrations.\n',
    );
  } finally {
    await orm.close(true);
  }
}

await main();
