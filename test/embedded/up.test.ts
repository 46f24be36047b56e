import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { isFree } from '../../packages/embedded/ports.ts';
import { runningPostgres, stopPostgres } from '../../packages/embedded/postgres.ts';
import { isAlive, waitForEnd } from '../../packages/embedded/processes.js';
import { runningTemporal, stopTemporal } from '../../packages/embedded/temporal.ts';
import { findTemporalBinary } from '../../packages/embedded/temporal-binary.js';
import { lastingPort } from '../support/ports.ts';
import { makeScratch } from '../support/scratch.ts';

const UP = fileURLToPath(new URL('../../cli/up.ts', import.meta.url));
const RUNS = /Earshot runs until Ctrl-C/;

interface Start {
  child: ChildProcess;
  said(): string;
  until(text: RegExp): Promise<void>;
  ended: Promise<number | null>;
}

let folder: string;
let port: number;
const starts: Start[] = [];

async function makePlace() {
  folder = makeScratch('earshot-up-');
  port = await lastingPort();
}

async function clearPlace() {
  for (const { child, ended } of starts.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  await endChildren();
  if (existsSync(join(folder, 'logs'))) await Promise.all([stopTemporal(folder), stopPostgres(folder)]);
  rmSync(folder, { recursive: true, force: true });
}

/** `npm start` as it is after the install, without the demo. */
function up(args: string[] = [], env: NodeJS.ProcessEnv = {}): Start {
  const child = spawn(process.execPath, [UP, '--no-demo', '--port', String(port), ...args], {
    env: { ...process.env, DATABASE_URL: undefined, EARSHOT_SECRET: undefined, EARSHOT_DATA: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += chunk));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const start: Start = {
    child,
    ended,
    said: () => said,
    async until(text) {
      while (!text.test(said)) {
        if (child.exitCode !== null) throw new Error(`It ended before it said ${text}:\n${said}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
  starts.push(start);
  return start;
}

const noted = () => JSON.parse(readFileSync(join(folder, 'processes.json'), 'utf8')) as { name: string; pid: number }[];

async function endChildren() {
  if (!existsSync(join(folder, 'processes.json'))) return;
  for (const { pid } of noted()) await waitForEnd(pid, 40_000);
}

async function stop({ child, ended }: Start): Promise<number | null> {
  child.kill('SIGINT');
  return ended;
}

const canStart = findTemporalBinary() !== null && inject('temporalAddress') !== null;

// One place from its first start to its last: each test goes on where the one before left it.
describe.skipIf(!canStart)('npm start', { timeout: 300_000 }, () => {
  let running: Start;
  let access: { url: string; key: string };
  const readAccess = () => JSON.parse(readFileSync(join(folder, 'cli.json'), 'utf8')) as typeof access;
  beforeAll(makePlace);
  afterAll(clearPlace);

  test('with --once does the job, prints the result and ends with 0', async () => {
    const start = up(['--once']);
    expect(await start.ended).toBe(0);
    expect(start.said()).toMatch(/Ready after/);
    expect(start.said()).toMatch(/`npm start` keeps it running/);
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
    expect(runningPostgres(folder)).toBeNull();
  });

  test('replaces a key from another database by one that works', async () => {
    writeFileSync(join(folder, 'cli.json'), JSON.stringify({ url: '', key: `svc_${'A'.repeat(32)}`, session: 'x' }));
    running = up();
    await running.until(RUNS);
    access = readAccess();
    expect(statSync(join(folder, 'cli.json')).mode & 0o777).toBe(0o600);
    await expect
      .poll(async () => (await fetch(`${access.url}/workz`)).status, { timeout: 60_000, interval: 500 })
      .toBe(200);
    const me = await fetch(`${access.url}/v1/me`, { headers: { authorization: `Bearer ${access.key}` } });
    expect(await me.json()).toMatchObject({ scope: 'write' });
  });

  test('tells a second start who runs there', async () => {
    const second = up(['--once']);
    expect(await second.ended).toBe(1);
    expect(second.said()).toMatch(
      new RegExp(`runs from this folder already, at http://127.0.0.1:${port} \\(process ${running.child.pid}`),
    );
    expect((await fetch(`${access.url}/workz`)).status).toBe(200);
  });

  test('starts a worker and servers that are killed again, with a sentence', async () => {
    const worker = noted().find(({ name }) => name === 'worker');
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    await running.until(/The worker ended \(SIGKILL\) and is started again[\s\S]*The worker runs again/);
    process.kill(runningTemporal(folder)?.pid ?? 0, 'SIGKILL');
    await running.until(/Temporal ended by itself and is started again[\s\S]*Temporal runs again\./);
  });

  test('killed with -9, its own processes end, and a new start goes on with the same servers', async () => {
    const pids = noted().map(({ pid }) => pid);
    const temporal = runningTemporal(folder);
    running.child.kill('SIGKILL');
    running = up();
    await running.until(RUNS);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(running.said()).toMatch(/PostgreSQL +ran already/);
    expect(runningTemporal(folder)?.pid).toBe(temporal?.pid);
    expect(readAccess()).toEqual(access);
  });

  test('leaves nothing behind after Ctrl-C', async () => {
    const pids = noted().map(({ pid }) => pid);
    const temporal = runningTemporal(folder);
    expect(await stop(running)).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(temporal && isAlive(temporal.pid)).toBe(false);
    expect(runningPostgres(folder)).toBeNull();
    expect(await isFree(port)).toBe(true);
  });
});

describe.skipIf(!canStart)('npm start, interrupted', { timeout: 300_000 }, () => {
  beforeEach(makePlace);
  afterEach(clearPlace);

  test('leaves nothing behind either, and the next one starts', async () => {
    const start = up();
    await start.until(/Earshot \d/);
    await new Promise((resolve) => setTimeout(resolve, 800));
    expect(await stop(start)).toBe(130);
    expect(runningPostgres(folder)).toBeNull();
    expect(runningTemporal(folder)).toBeNull();
    const again = up(['--once']);
    expect(await again.ended).toBe(0);
  });
});

describe('what a person can put right is one sentence, and nothing is left running', () => {
  beforeEach(makePlace);
  afterEach(clearPlace);
  const fails = async (start: Start, sentence: RegExp) => {
    expect(await start.ended).toBe(1);
    expect(start.said()).toMatch(sentence);
    expect(start.said()).not.toMatch(/\n\s+at /);
    expect(runningPostgres(folder)).toBeNull();
  };

  test('a taken port', async () => {
    const stranger = createServer().listen(port, '127.0.0.1');
    try {
      await fails(up(), new RegExp(`Port ${port} is taken by another program: .*\`npm start -- --port ${port + 1}`));
    } finally {
      stranger.close();
    }
  });

  test('data of a newer version', async () => {
    writeFileSync(join(folder, 'version'), JSON.stringify({ layout: 99, version: '9.0.0' }));
    await fails(up(), /made by a newer Earshot \(9\.0\.0; this is .*EARSHOT_DATA/);
  });

  test('a lost secret', async () => {
    writeFileSync(join(folder, 'postgres.json'), '{"port":null,"password":"there was a cluster"}');
    await fails(up(), /secret is missing, and what is stored encrypted cannot be read without it/);
  });

  test('a data folder that is a file', async () => {
    writeFileSync(join(folder, 'file'), '');
    await fails(up([], { EARSHOT_DATA: join(folder, 'file') }), /is not a folder/);
  });

  test('a database that does not answer, without its password', async () => {
    const start = up([], {
      DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/earshot',
      EARSHOT_SECRET: 'x'.repeat(40),
      TEMPORAL_ADDRESS: '127.0.0.1:1',
    });
    await fails(start, /DATABASE_URL is set, but no usable PostgreSQL answers at 127\.0\.0\.1:1\/earshot/);
    expect(start.said()).not.toContain('hush');
  });

  test('an own database without the secret', async () => {
    await fails(
      up([], { DATABASE_URL: 'postgres://me@127.0.0.1:1/earshot' }),
      /EARSHOT_SECRET must be set when DATABASE_URL is/,
    );
  });

  test('an unknown switch', async () => {
    const start = up(['--turbo']);
    expect(await start.ended).toBe(4);
    expect(start.said()).toMatch(/--turbo.*npm start -- --once/);
  });
});
