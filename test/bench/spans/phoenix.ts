import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { lastingPort } from '../../support/ports.ts';
import { openTestFolder } from '../../support/test-folder.ts';
import type { BenchDatabase } from '../database.ts';
import { type SentCall, SPANS_A_CALL } from './calls.ts';
import type { Receiver } from './send.ts';

export const PHOENIX_VERSION = '20.26.1';
const PACKAGE = `arize-phoenix[pg]==${PHOENIX_VERSION}`;
const HOW = `python3 -m venv <folder> && <folder>/bin/pip install "${PACKAGE}"`;
const PROJECT = 'bench';
const START_MS = 180_000;
const LOOK_EVERY_MS = 50;
const PAGE = 1000;

/** The Python of a folder that EARSHOT_BENCH_PHOENIX names, with the version that is compared. */
export function phoenixProgram(): { program: string } | { missing: string } {
  const folder = process.env['EARSHOT_BENCH_PHOENIX'];
  if (!folder) return { missing: `Phoenix is not installed (EARSHOT_BENCH_PHOENIX=<folder>, made by: ${HOW})` };
  const [python, program] = [join(folder, 'bin/python'), join(folder, 'bin/phoenix')];
  if (!existsSync(python)) return { missing: `There is no Python in ${folder} (${HOW})` };
  if (!existsSync(program)) return { missing: `There is no Phoenix in ${folder} (${HOW})` };
  const ask = 'from importlib.metadata import version; import asyncpg; print(version("arize-phoenix"))';
  const version = execFileSync(python, ['-c', ask], { encoding: 'utf8' }).trim();
  return version === PHOENIX_VERSION
    ? { program }
    : { missing: `Phoenix ${version} is installed, and ${PHOENIX_VERSION} is compared (${HOW})` };
}

/** Phoenix on a database of its own, on the server of another one. */
export class Phoenix implements Receiver {
  readonly #program: string;
  readonly #databaseUrl: string;
  readonly #client: pg.Client;
  readonly #folder = openTestFolder(true);
  #child: ChildProcess | null = null;
  url = '';

  private constructor(program: string, databaseUrl: string) {
    this.#program = program;
    this.#databaseUrl = databaseUrl;
    this.#client = new pg.Client({ connectionString: databaseUrl });
  }

  static async open(program: string, { url, client }: BenchDatabase): Promise<Phoenix> {
    const { href, name } = besides(url);
    await client.query(`create database "${name}"`);
    const phoenix = new Phoenix(program, href);
    await phoenix.#client.connect();
    await phoenix.start();
    return phoenix;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  headersOf = () => ({ 'x-project-name': PROJECT });

  /** As from its package: what it tells others, and its looks for updates, are off. */
  async start(): Promise<void> {
    const [port, grpcPort] = [await lastingPort(), await lastingPort()];
    const child = spawn(this.#program, ['serve'], {
      env: {
        PATH: process.env['PATH'],
        HOME: this.#folder.path,
        PHOENIX_WORKING_DIR: this.#folder.path,
        PHOENIX_SQL_DATABASE_URL: this.#databaseUrl.replace(/^postgres:/, 'postgresql:'),
        PHOENIX_HOST: '127.0.0.1',
        PHOENIX_PORT: String(port),
        PHOENIX_GRPC_PORT: String(grpcPort),
        PHOENIX_TELEMETRY_ENABLED: 'false',
        PHOENIX_ALLOW_EXTERNAL_RESOURCES: 'false',
        PHOENIX_DISABLE_AGENT_ASSISTANT: 'true',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-2_000);
    });
    this.#child = child;
    this.url = `http://127.0.0.1:${port}`;
    for (const end = Date.now() + START_MS; !(await answers(`${this.url}/readyz`)); await sleep(200)) {
      if (child.exitCode !== null || Date.now() > end) throw new Error(`Phoenix did not start. ${said}`);
    }
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill(signal);
    await ended;
  }

  /** Waits until all spans of as many calls are in the table that its list reads, or `withinMs` brought no more. */
  async untilStored(calls: number, withinMs: number): Promise<void> {
    let before = -1;
    for (let quietSince = Date.now(); ; await sleep(LOOK_EVERY_MS)) {
      const { rows } = await this.#client.query<{ spans: number }>('select count(*)::int as spans from spans');
      const spans = rows[0]?.spans ?? 0;
      if (spans >= calls * SPANS_A_CALL) return;
      if (spans !== before) quietSince = Date.now();
      else if (Date.now() - quietSince > withinMs) return;
      before = spans;
    }
  }

  /** How many of these its list shows. */
  async listed(calls: readonly SentCall[]): Promise<number> {
    const known = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = new URLSearchParams({ limit: String(PAGE), ...(cursor ? { cursor } : {}) });
      const answer = await fetch(`${this.url}/v1/projects/${PROJECT}/traces?${query.toString()}`);
      if (answer.status === 404) return 0;
      const page = (await answer.json()) as { data: { trace_id: string }[]; next_cursor: string | null };
      for (const { trace_id: id } of page.data) known.add(id);
      cursor = page.next_cursor;
    }
    return calls.filter(({ traceId }) => known.has(traceId)).length;
  }

  async close({ client, url }: BenchDatabase): Promise<void> {
    await this.kill('SIGKILL');
    await this.#client.end();
    await client.query(`drop database "${besides(url).name}" with (force)`);
    this.#folder.remove();
  }
}

function besides(databaseUrl: string): { href: string; name: string } {
  const url = new URL(databaseUrl);
  url.pathname = `${url.pathname}_phoenix`;
  return { href: url.href, name: url.pathname.slice(1) };
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => null);
  return answer?.status === 200;
}
