import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { movedFolder } from '../../packages/embedded/place.ts';
import { startPostgres, stopPostgres } from '../../packages/embedded/postgres.ts';
import { isAlive, waitForEnd } from '../../packages/embedded/processes.js';
import { UserFacingError } from '../../src/user-facing-error.js';
import { layCluster } from '../support/prepared-cluster.ts';
import { makeScratch } from '../support/scratch.ts';

const asRoot = process.getuid?.() === 0;
let folder: string;
beforeEach(() => {
  folder = makeScratch('earshot-postgres-');
  mkdirSync(join(folder, 'logs'));
});
afterEach(async () => {
  await stopPostgres(folder);
  rmSync(folder, { recursive: true, force: true });
  rmSync(movedFolder(folder), { recursive: true, force: true });
});

const start = (dataFolder = folder) => startPostgres({ dataFolder, database: 'earshot', durable: false });

/** A start on a cluster that an earlier one has made. */
async function startAgain() {
  await layCluster(folder);
  return start();
}

async function ask<T extends pg.QueryResultRow>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  test('is version 18, listens on this machine only, compresses pages in its log, and wants its password', async () => {
    const running = await start();
    const [row] = await ask<{ version: string; addresses: string; collation: string; pages: string }>(
      running.url,
      `select current_setting('server_version') as version, current_setting('listen_addresses') as addresses,
        current_setting('wal_compression') as pages,
        (select datlocale from pg_database where datname = 'earshot') as collation`,
    );
    expect(row).toMatchObject({ addresses: '127.0.0.1', collation: 'C.UTF-8', pages: 'pglz' });
    expect(row?.version).toMatch(/^18\./);
    const wrong = new URL(running.url);
    wrong.password = 'guessed';
    await expect(ask(wrong.href, 'select 1')).rejects.toThrow(/password/);
    expect(statSync(join(folder, 'postgres.json')).mode & 0o077).toBe(0);
  });

  test('is taken over when an earlier start left it running', async () => {
    const first = await startAgain();
    const second = await start();
    expect(second).toMatchObject({ pid: first.pid, port: first.port, adopted: true });
  });

  test('keeps its data and its port over a stop', async () => {
    const first = await startAgain();
    await ask(first.url, 'create table kept as select 1 as one');
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    const second = await start();
    expect(second).toMatchObject({ port: first.port, adopted: false });
    expect(await ask(second.url, 'select one from kept')).toEqual([{ one: 1 }]);
  });

  test('comes back after its server was killed, with everything that was committed', async () => {
    const first = await startAgain();
    await ask(first.url, 'create table kept as select 1 as one');
    process.kill(first.pid, 'SIGKILL');
    const second = await start();
    expect(second.pid).not.toBe(first.pid);
    expect(await ask(second.url, 'select one from kept')).toEqual([{ one: 1 }]);
  });

  test('moves to another port when a stranger has taken its own', async () => {
    const first = await startAgain();
    await first.stop();
    const stranger = createServer().listen(first.port, '127.0.0.1');
    try {
      const second = await start();
      expect(second.port).not.toBe(first.port);
      expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    } finally {
      stranger.close();
    }
  });

  test('never takes another cluster for its own', async () => {
    const other = makeScratch('earshot-postgres-');
    mkdirSync(join(other, 'logs'));
    try {
      const first = await startAgain();
      await first.stop();
      const access = JSON.parse(readFileSync(join(folder, 'postgres.json'), 'utf8')) as {
        port: number;
        password: string;
      };
      await layCluster(other);
      writeFileSync(join(other, 'postgres.json'), JSON.stringify({ ...access }));
      const stranger = await start(other);
      expect(stranger.port).toBe(first.port);
      const second = await start();
      expect(second.port).not.toBe(stranger.port);
      expect(second.folder).toBe(first.folder);
    } finally {
      await stopPostgres(other);
      rmSync(other, { recursive: true, force: true });
    }
  });

  test('is made anew when its making was interrupted', async () => {
    mkdirSync(join(folder, 'postgres.draft', 'base'), { recursive: true });
    writeFileSync(join(folder, 'postgres.draft', 'PG_VERSION'), '18\n');
    const running = await start();
    expect(await ask(running.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(existsSync(join(folder, 'postgres.draft'))).toBe(false);
  });

  test('says in a sentence that a newer PostgreSQL made the data', async () => {
    await (await startAgain()).stop();
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '19\n');
    await expect(start()).rejects.toThrow(/made by PostgreSQL 19 and this Earshot brings 18.*EARSHOT_DATA/);
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '18\n');
  });

  test('says in a sentence that its password is gone', async () => {
    await (await startAgain()).stop();
    rmSync(join(folder, 'postgres.json'));
    await expect(start()).rejects.toThrow(/postgres\.json is missing/);
  });

  test('starts although its pid file names a process that is another program by now', async () => {
    const first = await startAgain();
    await first.stop();
    writeFileSync(join(folder, 'postgres', 'postmaster.pid'), `${process.pid}\n${first.folder}\n0\n${first.port}\n`);
    expect((await start()).adopted).toBe(false);
  });
});

describe.runIf(asRoot)('as root', () => {
  test('PostgreSQL runs as another user, and lives outside of a folder which that user cannot pass', async () => {
    chmodSync(folder, 0o700);
    const running = await start();
    expect(running.moved).toBe(true);
    expect(running.folder.startsWith(movedFolder(folder))).toBe(true);
    expect(JSON.parse(readFileSync(join(folder, 'place.json'), 'utf8'))).toEqual({ postgres: movedFolder(folder) });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(running.folder).uid).not.toBe(0);
    await running.stop();
    expect((await start()).folder).toBe(running.folder);
  });

  test('a data folder that was removed begins anew, wherever its cluster lived', async () => {
    chmodSync(folder, 0o700);
    const running = await start();
    await ask(running.url, 'create table old as select 1 as one');
    await running.stop();
    rmSync(folder, { recursive: true });
    mkdirSync(join(folder, 'logs'), { recursive: true, mode: 0o700 });
    await expect(ask((await start()).url, 'select one from old')).rejects.toThrow(/does not exist/);
  });

  test('a full disk is one sentence that says what to do', async ({ skip }) => {
    const small = mkdtempSync(join(tmpdir(), 'earshot-small-'));
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=755', 'tmpfs', small]).status === 0;
    try {
      if (!mounted) skip('this machine allows no mounts');
      mkdirSync(join(small, 'logs'));
      const failure = await start(small).catch((error: Error) => error);
      expect(failure).toBeInstanceOf(UserFacingError);
      expect((failure as Error).message).toMatch(/is full: free some space there/);
    } finally {
      if (mounted) spawnSync('umount', [small]);
      rmSync(small, { recursive: true, force: true });
    }
  });
});

test('stopping ends a server that nobody holds any more', async () => {
  const { pid } = await startAgain();
  await stopPostgres(folder);
  expect(await waitForEnd(pid, 60_000)).toBe(true);
});
