import { migrate, openOwner } from './migrate.ts';

/**
 * Writes the migration that brings the newest migrated schema to the entities: `npm run migration`. DATABASE_URL names a
 * scratch database, which is migrated first.
 */
const url = process.env.DATABASE_URL ?? '';
await migrate(url);
const orm = await openOwner(url);
try {
  const made = await orm.migrator.create();
  process.stdout.write(
    made.fileName ? `Wrote migrations/${made.fileName}\n` : 'No difference between the entities and the migrations.\n',
  );
} finally {
  await orm.close(true);
}
