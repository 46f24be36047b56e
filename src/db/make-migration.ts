import { openDatabase } from './database.ts';

/** Writes the migration that brings the newest migrated schema to the entities: `npm run migration` (DATABASE_URL names a scratch server). */
const database = await openDatabase({
  url: process.env.DATABASE_URL ?? '',
  poolMax: 2,
  applicationName: 'earshot-make-migration',
  statementTimeoutMs: 0,
  onIdleError: () => {},
});
try {
  const made = await database.orm.migrator.create();
  process.stdout.write(
    made.fileName ? `Wrote migrations/${made.fileName}\n` : 'No difference between the entities and the migrations.\n',
  );
} finally {
  await database.close();
}
