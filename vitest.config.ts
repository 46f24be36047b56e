import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
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
