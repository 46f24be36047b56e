import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { lookAtSchema } from '../../../src/db/schema.ts';
import { ROOT } from '../../../src/layout.ts';
import { killAtExit } from '../../support/kill-at-exit.ts';

const NAME = 'migrated_under_kills';
const MIGRATES = `import { migrate } from './src/db/migrate.ts'; await migrate(process.env.DATABASE_URL);`;

/**
 * A database of its own on the same server is migrated by a process that is killed, then by another that is not.
 * @throws where the second can't go on from what the first left.
 */
export async function killMigration(serverUrl: string, killAfterMs: number): Promise<void> {
  const url = new URL(serverUrl);
  url.pathname = `/${NAME}`;
  await onServer(serverUrl, `create database ${NAME}`);
  try {
    await migrateIn(url.href, killAfterMs);
    const left = await migrateIn(url.href);
    const { fit } = await lookAtSchema(url.href);
    if (fit.is !== 'fits') throw new Error(`A migration that was killed could not be carried on: ${left}`);
  } finally {
    await onServer(serverUrl, `drop database ${NAME} with (force)`);
  }
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** @returns what it said. */
async function migrateIn(databaseUrl: string, killAfterMs?: number): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', MIGRATES], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  killAtExit(child);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const kill = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  await once(child, 'close');
  clearTimeout(kill);
  return said;
}
