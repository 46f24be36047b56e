import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { workflowBundle } from '../../activities/workflow-bundle.ts';
import { openTestFolder } from '../support/test-folder.ts';
import { startTestTemporal } from '../support/test-temporal-server.ts';
import { makeBenchAgent } from './data.ts';
import { type BenchDatabase, withBenchDatabase } from './database.ts';
import { alternate, type BenchOptions, type BenchResult } from './measure.ts';
import { NOT_INSTALLED, promptfooProgram } from './runs/promptfoo.ts';
import { makeKeys, productEnv, type ServerProcess, startBare, startProductApi, startServer } from './servers.ts';

export const GOAL = 'API 2 ×, worker 1.5 × bare ones; `--version` 1/5 of promptfoo';

const API_RATIO_MAX = 2;
const WORKER_RATIO_MAX = 1.5;
const VERSION_RATIO_MAX = 1 / 5;

/**
 * Metric 20: until the API answers, beside a server of Fastify, pg and zod; until the worker polls, beside one without
 * activities on the same bundle; and `earshot --version` beside that of promptfoo. Every process has a compile cache that
 * a start before it has filled, as later starts of `npm start` have.
 * promptfoo comes from a folder named by EARSHOT_BENCH_PROMPTFOO (`npm install --prefix <folder> promptfoo`).
 */
export async function run({ rounds = 5 }: Partial<BenchOptions> = {}): Promise<BenchResult> {
  const folder = openTestFolder(true);
  const temporal = await startTestTemporal(folder.path);
  try {
    return await withBenchDatabase((database) => measure(database, folder.path, temporal.address, rounds));
  } finally {
    await temporal.stop();
    folder.remove();
  }
}

type Ratio = Awaited<ReturnType<typeof alternate>>;

async function measure(database: BenchDatabase, folder: string, temporal: string | null, rounds: number) {
  const agent = await makeBenchAgent(database.client);
  const [key = ''] = await makeKeys(database, agent, 1);
  const cache = { NODE_COMPILE_CACHE: `${folder}/compiled` };
  const misses: string[] = [];
  const starts = (start: () => Promise<ServerProcess>, look: (server: ServerProcess) => Promise<void>) => async () => {
    const server = await start();
    await look(server);
    await server.stop();
    return server.readyMs;
  };
  const nothing = async () => {};

  const api = await beside(
    rounds,
    starts(
      () => startProductApi(database, cache),
      async (server) => {
        const answer = await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
        if (answer.status !== 200) misses.push(`The first request was answered with ${answer.status}.`);
      },
    ),
    starts(() => startBare(database, agent.workspaceId, [], cache), nothing),
  );
  const worker = temporal === null ? null : await workers(temporal);
  const version = await versions();

  if (api.ratio > API_RATIO_MAX) misses.push(`The API takes ${api.ratio} of a bare one, above ${API_RATIO_MAX}.`);
  if (worker && worker.ratio > WORKER_RATIO_MAX)
    misses.push(`The worker takes ${worker.ratio} of one that does nothing, above ${WORKER_RATIO_MAX}.`);
  if (version.ratio !== null && version.ratio > VERSION_RATIO_MAX)
    misses.push(`earshot --version takes ${version.ratio} of promptfoo's, above 1/5.`);
  const known = [api, worker].filter((each) => each !== null);
  return {
    metric: 'start-up',
    sizes: [rounds],
    ours: [...known.map(({ ours }) => ours), version.ours],
    baseline: [...known.map(({ baseline }) => baseline), ...(version.baseline === null ? [] : [version.baseline])],
    ratio: [...known.map(({ ratio }) => ratio), ...(version.ratio === null ? [] : [version.ratio])],
    exponent: null,
    counters: {
      measured: ['API', ...(worker ? ['worker'] : []), ...(version.ratio === null ? [] : ['--version'])].join(', '),
      partial: partial(worker, version.ratio),
    },
    ok: misses.length === 0,
    misses,
  } satisfies BenchResult;

  async function workers(address: string): Promise<Ratio> {
    const env = {
      ...cache,
      TEMPORAL_ADDRESS: address,
      EARSHOT_WORKFLOW_BUNDLE: await workflowBundle(folder),
      EARSHOT_NO_POLL: 'true',
    };
    return beside(
      rounds,
      starts(
        () => startServer('activities/worker.ts', { ...productEnv(database), ...env }),
        async (server) => {
          if (holdsBundler(server)) misses.push('The worker holds a bundler.');
        },
      ),
      starts(() => startServer('test/bench/servers/no-op-worker.ts', env), nothing),
    );
  }

  async function versions() {
    const ours = () =>
      commandMs(
        process.execPath,
        [fileURLToPath(new URL('../../cli/earshot.js', import.meta.url)), '--version'],
        cache,
      );
    const peer = promptfooProgram();
    if (peer === null) return { ours: await ours(), baseline: null, ratio: null };
    const env = { ...cache, PROMPTFOO_DISABLE_TELEMETRY: '1', PROMPTFOO_DISABLE_UPDATE: '1', HOME: folder };
    return beside(rounds, ours, () => commandMs(process.execPath, [peer, '--version'], env));
  }
}

/** A first start of each fills the compile cache. */
async function beside(rounds: number, ours: () => Promise<number>, baseline: () => Promise<number>): Promise<Ratio> {
  await ours();
  await baseline();
  return alternate(rounds, ours, baseline);
}

function partial(worker: Ratio | null, version: number | null): string {
  const without = [...(worker ? [] : ['no Temporal server']), ...(version === null ? [NOT_INSTALLED] : [])];
  return without.join('; ') || 'no';
}

async function commandMs(command: string, args: string[], env: Record<string, string>): Promise<number> {
  const start = performance.now();
  execFileSync(command, args, { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  return performance.now() - start;
}

/** Webpack compiles with a native library, which the kernel lists among those of the process. */
function holdsBundler({ child: { pid } }: ServerProcess): boolean {
  const maps = `/proc/${pid}/maps`;
  return existsSync(maps) && /swc[^\n]*\.node/.test(readFileSync(maps, 'utf8'));
}
