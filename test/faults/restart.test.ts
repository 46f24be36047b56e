import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { migrate, openOwner } from '../../src/db/migrate.ts';
import { newId } from '../../src/ids.ts';
import { createVault } from '../../src/secrets.ts';
import { keepHashingKey } from '../../src/services/secrets/hashing-key.ts';
import { makeAgent } from '../support/analysed-calls.ts';
import { bareEnvironment } from '../support/bare-environment.ts';
import { killAtExit } from '../support/kill-at-exit.ts';
import { openOwnedDatabase } from '../support/owned-database.ts';
import { TEST_SECRET, untilTrue } from '../support/pipeline.ts';
import { type Machine, startMachine } from './machine.ts';
import { flowsOf, orderErasure, type Platforms, startPlatforms } from './points/flows.ts';
import type { WorkerProcess } from './worker-machine.ts';

const EARLIER = 'the secret of an earlier year that is kept safe';
const PRESENT = 'the secret of this year that is kept safe as well';

const programOf = (name: string) => fileURLToPath(new URL(`../../api/${name}.ts`, import.meta.url));

describe.skipIf(inject('temporalAddress') === null)('killed and started again', () => {
  let machine: Machine;
  let platforms: Platforms;
  let worker: WorkerProcess;

  beforeAll(async () => {
    [machine, platforms] = await Promise.all([startMachine(), startPlatforms()]);
    worker = await machine.startWorker();
  }, 300_000);
  afterAll(async () => {
    await machine?.close();
    await platforms?.close();
  });

  async function open(url = machine.databaseUrl()): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  /** @returns its address now: a server that is started again may have another port. */
  async function makeDatabase(name: string): Promise<() => string> {
    const owner = await open();
    await owner.query(`create database ${name}`);
    await owner.end();
    return () => machine.databaseUrl().replace(/\/[^/]*$/, `/${name}`);
  }

  /** Holds a row of a table, so that whoever changes it waits in the middle of its work. */
  async function hold(row: string, url?: string): Promise<void> {
    const holder = await open(url);
    await holder.query(`begin; select from ${row} for update`);
  }

  async function waitsForIt(applicationName: string): Promise<void> {
    const watcher = await open();
    await untilTrue(async () => {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity where application_name like $1 and wait_event_type = 'Lock'`,
        [applicationName],
      );
      return (rowCount ?? 0) > 0;
    });
    await watcher.end();
  }

  async function killEverything(...others: ChildProcess[]): Promise<void> {
    for (const child of [worker.child, ...others]) child.kill('SIGKILL');
    await Promise.all([machine.killPostgres(), machine.killTemporal(), worker.ended]);
  }

  async function startEverything(): Promise<void> {
    await Promise.all([machine.startTemporal(), machine.startPostgres()]);
    worker = await machine.startWorker();
  }

  function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    const child = spawn(process.execPath, [programOf(program), ...args], {
      env: { ...bareEnvironment(), DATABASE_URL: machine.databaseUrl(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    killAtExit(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
    const ended = new Promise<{ code: number | null; said: string }>((resolve) => {
      child.once('close', (code) => resolve({ code, said }));
    });
    return { child, ended };
  }

  test('everything in the middle of an erasure: it is carried to its end, and leaves what an undisturbed one leaves', async () => {
    const [imports, erasures] = flowsOf(machine, platforms);
    if (!imports || !erasures) throw new Error('There are no such flows.');
    const undisturbed = await erasures.begin();
    await untilTrue(undisturbed.isOver, 120_000);

    const { agent, isOver, left } = await imports.begin();
    if (!agent) throw new Error('The import names no agent.');
    await untilTrue(isOver, 120_000);
    await hold(`calls where agent_id = '${agent.agentId}' order by provider_call_id offset 5 limit 1`);
    const disturbed = await orderErasure(machine.database, agent, left);
    await waitsForIt('earshot%');
    await killEverything();
    await startEverything();
    await untilTrue(disturbed.isOver, 120_000);
    expect(await disturbed.left()).toEqual(await undisturbed.left());
  }, 400_000);

  test('everything in the middle of a sealing anew: the next one goes on where it was, and leaves nothing under the earlier secret', async () => {
    const before = createVault(EARLIER);
    const url = await makeDatabase('half_sealed');
    await migrate(url());
    const bounds = { poolMax: 1, applicationName: 'earshot-test', statementTimeoutMs: 0, onIdleError: () => {} };
    const database = await openOwnedDatabase({ ...bounds, url: url() });
    await keepHashingKey(database, before);
    const agent = await makeAgent(database.em());
    const records = Array.from({ length: 1_000 }, (_, at) => ({ id: newId(), text: before.seal(`record ${at}`) }));
    await sql`insert into import_failures (id, workspace_id, agent_id, import_id, ref, reason, sealed_payload)
      select id, ${agent.workspaceId}, ${agent.agentId}, id, id::text, 'It is no call.', text
      from unnest(${records.map(({ id }) => id)}::uuid[], ${records.map(({ text }) => text)}::text[]) r(id, text)`.execute(
      database.em().getKysely(),
    );
    await database.close();
    const secrets = { EARSHOT_SECRET: PRESENT, EARSHOT_SECRET_EARLIER: EARLIER };
    const seal = (args: readonly string[], env: NodeJS.ProcessEnv) =>
      run('seal', args, { DATABASE_URL: url(), ...env });
    await hold('import_failures order by id offset 600 limit 1', url());
    const sealing = seal([], secrets);
    const early = sealing.ended.then(({ said }) => Promise.reject(new Error(`It ended before it was killed: ${said}`)));
    await Promise.race([waitsForIt('earshot-seal'), early]);
    early.catch(() => {});
    await killEverything(sealing.child);
    await sealing.ended;
    await startEverything();
    const again = await seal([], secrets).ended;
    expect(again).toMatchObject({ code: 0 });
    expect(JSON.parse(again.said)).toMatchObject({ left: 0 });
    const counted = await seal(['--count'], { EARSHOT_SECRET: PRESENT }).ended;
    expect(JSON.parse(counted.said)).toEqual({ left: 0 });
  }, 400_000);

  test.each([3, 20, 40])(
    'PostgreSQL and the process in the middle of a migration, after %s of them: the next start finishes the schema',
    async (done) => {
      const urlNow = await makeDatabase(`half_migrated_${done}`);
      const migrating = run('migrate', [], { DATABASE_URL: urlNow(), EARSHOT_SECRET: TEST_SECRET });
      await untilTrue(async () => {
        const watcher = await open(urlNow());
        const counted = await watcher.query('select from mikro_orm_migrations').catch(() => ({ rowCount: 0 }));
        await watcher.end();
        return (counted.rowCount ?? 0) >= done;
      });
      migrating.child.kill('SIGKILL');
      await Promise.all([machine.killPostgres(), migrating.ended]);
      await machine.startPostgres();
      expect(await run('migrate', [], { DATABASE_URL: urlNow(), EARSHOT_SECRET: TEST_SECRET }).ended).toMatchObject({
        code: 0,
      });
      const orm = await openOwner(urlNow(), 5_000);
      expect(await orm.schema.getUpdateSchemaSQL({ wrap: false })).toBe('');
      await orm.close(true);
      const after = await open(urlNow());
      expect((await after.query('select indexrelid::regclass from pg_index where not indisvalid')).rows).toEqual([]);
      await after.end();
    },
    400_000,
  );
});
