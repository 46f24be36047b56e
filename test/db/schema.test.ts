import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startApi } from '../support/api-process.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { killAtExit } from '../support/kill-at-exit.ts';
import { openNamespace, TEST_SECRET, type TestTemporal, testBundle, untilTrue } from '../support/pipeline.ts';
import { lastingPort } from '../support/ports.ts';

let database: TestDatabase;
let owner: pg.Client;
let temporal: TestTemporal;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  temporal = await openNamespace(inject('temporalAddress') ?? '');
});
afterAll(async () => {
  await temporal.close();
  await owner.end();
  await database.drop();
});

/** The product's worker with a health address. */
async function startWorker() {
  const health = `127.0.0.1:${await lastingPort()}`;
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../activities/worker.ts', import.meta.url))], {
    env: {
      ...bareEnvironment(),
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      EARSHOT_SECRET: TEST_SECRET,
      EARSHOT_WORKER_HEALTH: health,
      EARSHOT_WORKFLOW_BUNDLE: await testBundle(),
      EARSHOT_NO_POLL: '1',
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  killAtExit(child);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const workz = async () => {
    const answer = await fetch(`http://${health}/workz`);
    return { status: answer.status, text: await answer.text() };
  };
  return { child, said: () => said, ended, workz };
}

const note = (name: string) => owner.query('insert into mikro_orm_migrations (name) values ($1)', [name]);

test('a worker waits for a schema that is behind, says so, and works once it was migrated', async () => {
  const noted = await owner.query<{ name: string }>(
    'delete from mikro_orm_migrations where name = (select max(name) from mikro_orm_migrations) returning name',
  );
  const newest = noted.rows[0]?.name ?? '';
  const worker = await startWorker();
  const waits = `lacks 1 migration (from ${newest} on). Run \\"earshot-server migrate\\"`;
  await untilTrue(async () => (await worker.workz()).text.includes(waits));
  expect((await worker.workz()).status).toBe(503);
  expect(worker.said()).toContain(waits);
  await note(newest);
  await untilTrue(async () => (await worker.workz()).status === 200);
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toBe(0);
});

test('processes start on a newer schema that only adds, and not on one that takes away what they use', async () => {
  await note('Migration29991231000000_adds');
  const secret = { EARSHOT_SECRET: TEST_SECRET };
  const api = await startApi(database.url, secret);
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
  await api.stop();
  const works = await startWorker();
  await untilTrue(async () => (await works.workz()).status === 200);
  works.child.kill('SIGTERM');
  expect(await works.ended).toBe(0);

  await note('Migration29991231000001_drops_from_29991231000000');
  const sentence = 'newer version of Earshot (it has Migration29991231000001_drops_from_29991231000000)';
  await expect(startApi(database.url, secret)).rejects.toThrow(sentence);
  const refused = await startWorker();
  expect(await refused.ended).toBe(1);
  expect(refused.said()).toContain(sentence);
});
