import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchMemory } from './memory.ts';
import type { Speakers } from './speakers.ts';
import { CALLER_TURNS, FOUND } from './words.ts';

export const NOT_INSTALLED = 'promptfoo is not installed (EARSHOT_BENCH_PROMPTFOO)';

/** The program of a promptfoo in the folder that EARSHOT_BENCH_PROMPTFOO names (`npm install --prefix <folder> promptfoo`). */
export function promptfooProgram(): string | null {
  const given = process.env['EARSHOT_BENCH_PROMPTFOO'];
  if (!given) return null;
  const folder = join(given, 'node_modules/promptfoo');
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> };
  return join(folder, bin['promptfoo'] ?? '');
}

export interface PlayedByPromptfoo {
  /** From the first question to the end of the process: its start does not count. */
  ms: number;
  passed: number;
  failed: number;
  /** Resident megabytes, now and then. */
  memory: number[];
}

/**
 * Plays one conversation an order with promptfoo's simulated user, asks for the same words, and keeps its results in its
 * own database. Its cache, telemetry, sharing and look for updates are off; the simulated user asks the stand-in.
 */
export async function playWithPromptfoo(
  program: string,
  speakers: Speakers,
  { orders, atOnce }: { orders: readonly number[]; atOnce: number },
): Promise<PlayedByPromptfoo> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-promptfoo-'));
  try {
    const config = join(folder, 'config.json');
    const results = join(folder, 'results.json');
    writeFileSync(config, JSON.stringify(configuration(speakers.url, orders)));
    const child = spawn(
      process.execPath,
      [
        program,
        'eval',
        '-c',
        config,
        '-j',
        String(atOnce),
        '--no-cache',
        '--no-table',
        '--no-progress-bar',
        '-o',
        results,
      ],
      { cwd: folder, env: environment(folder, speakers.url), stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-2_000);
    });
    const seen = watchMemory(child.pid);
    await new Promise((resolve) => child.once('close', resolve));
    const endedAtMs = Date.now();
    const memory = seen();
    const { firstAtMs } = await speakers.log();
    if (firstAtMs === null) throw new Error(`promptfoo asked nothing. ${said}`);
    return { ms: endedAtMs - firstAtMs, ...countsIn(results), memory };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function configuration(url: string, orders: readonly number[]) {
  return {
    prompts: ['You answer for a shop.'],
    providers: [{ id: 'openai:chat:stand-in', config: { apiBaseUrl: `${url}/v1`, apiKey: 'none' } }],
    defaultTest: {
      provider: {
        id: 'promptfoo:simulated-user',
        config: { maxTurns: CALLER_TURNS, instructions: 'You want to move order {{order}} to Friday.' },
      },
      assert: [{ type: 'contains', value: FOUND }],
    },
    tests: orders.map((order) => ({ vars: { order: String(order) } })),
  };
}

const environment = (folder: string, url: string) => ({
  PATH: process.env['PATH'],
  HOME: folder,
  PROMPTFOO_CONFIG_DIR: join(folder, 'state'),
  PROMPTFOO_CACHE_ENABLED: 'false',
  PROMPTFOO_DISABLE_TELEMETRY: '1',
  PROMPTFOO_DISABLE_UPDATE: '1',
  PROMPTFOO_DISABLE_SHARING: '1',
  PROMPTFOO_REMOTE_GENERATION_URL: `${url}/task`,
});

function countsIn(results: string): { passed: number; failed: number } {
  const { results: read } = JSON.parse(readFileSync(results, 'utf8')) as {
    results: { stats: { successes: number; failures: number; errors: number } };
  };
  return { passed: read.stats.successes, failed: read.stats.failures + read.stats.errors };
}
