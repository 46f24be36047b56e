import { configDefaults, defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

/** What kills processes, waits for real time, plays whole demos, or starts installations: `npm run test:faults`. */
const FAULTS = [
  'test/faults/**/*.test.ts',
  'test/{demo,embedded,release}/**/*.test.ts',
  'test/web/first-start.test.ts',
  'test/workflows/**/*time.test.ts',
  'test/eval/key-order.test.ts',
  'test/workflows/demo*.test.ts',
  'test/api/{server,texts-hold-nobody}.test.ts',
  'test/db/schema.test.ts',
];
const part = process.env['EARSHOT_TESTS'];

export default defineConfig({
  test: {
    include: part === 'faults' ? FAULTS : ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(part === 'quick' ? FAULTS : [])],
    pool: 'forks',
    // Files share a process one after the other: what they import is read, compiled and warmed up once.
    isolate: false,
    // Node runs the sources as it does in production; nothing is mocked that would need them rewritten.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Two more than the processors that CI has: tests that wait for another process leave theirs idle.
    maxWorkers: 4,
    // A tenth of the processor time went into collecting a young generation that began small in each process.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    sequence: { sequencer: LongFirst },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: ['test/support/servers.ts'],
  },
});
