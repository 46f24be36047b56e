import { startPostgres } from '../../packages/embedded/postgres.ts';

/** The server that the environment brings, else an embedded one that syncs nothing to disk. */
export async function startTestDatabase(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.EARSHOT_TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => {} };
  return startPostgres({ dataFolder: folder, database: 'postgres', durable: false });
}
